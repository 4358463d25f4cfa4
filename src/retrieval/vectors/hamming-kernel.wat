;; Hamming distances from one bit string to many, 1,536 bits each, in two steps: the first 384 bits of all strings, then the
;; other 1,152 of those that are near. `bun run kernel` assembles this file into hamming-kernel.wasm, which is committed
;; beside it. Memory is allocated and laid out by hamming-kernel.ts. The query (192 bytes) is at address 0. Differing bits
;; of the first and of the second half of each step count as much as `weigh` says.

(module
  (import "host" "memory" (memory 1))
  (global $first (mut i64) (i64.const 1))
  (global $second (mut i64) (i64.const 1))

  (func (export "weigh") (param $one i32) (param $other i32)
    (global.set $first (i64.extend_i32_u (local.get $one)))
    (global.set $second (i64.extend_i32_u (local.get $other))))

  ;; Compares the first 384 bits of the query with `$count` strings of 48 bytes each, from address `$string` on. Writes the
  ;; weighted number of differing bits of each as two bytes, from address `$result` on, and counts it in the histogram of
  ;; four-byte numbers at address `$histogram`. `$count` must be at least 1.
  ;; The words of a string are written out, because a loop over them takes 20 to 35 % longer.
  (func (export "coarse") (param $string i32) (param $count i32) (param $result i32) (param $histogram i32)
    (local $distance i32) (local $counter i32)
    (loop $next
      i64.const 0
      local.get $string  i64.load offset=0    i32.const 0  i64.load offset=0    i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=8    i32.const 0  i64.load offset=8    i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=16   i32.const 0  i64.load offset=16   i64.xor  i64.popcnt  i64.add
      global.get $first  i64.mul
      i64.const 0
      local.get $string  i64.load offset=24   i32.const 0  i64.load offset=24   i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=32   i32.const 0  i64.load offset=32   i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=40   i32.const 0  i64.load offset=40   i64.xor  i64.popcnt  i64.add
      global.get $second  i64.mul
      i64.add
      i32.wrap_i64
      local.set $distance
      (i32.store16 (local.get $result) (local.get $distance))
      (local.set $counter (i32.add (local.get $histogram) (i32.shl (local.get $distance) (i32.const 2))))
      (i32.store (local.get $counter) (i32.add (i32.load (local.get $counter)) (i32.const 1)))

      (local.set $string (i32.add (local.get $string) (i32.const 48)))
      (local.set $result (i32.add (local.get $result) (i32.const 2)))
      (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))

  ;; Goes through `$count` distances that `coarse` has written from address `$distance` on. For each that is at most
  ;; `$maximum`, compares the other 1,152 bits, which are 144 bytes for each string from address `$string` on, and writes
  ;; eight bytes from address `$result` on: the index of the string and the weighted number of all its differing bits.
  ;; Returns the number of these strings. `$count` must be at least 1.
  (func (export "refine")
    (param $distance i32) (param $count i32) (param $maximum i32) (param $string i32) (param $result i32) (result i32)
    (local $index i32) (local $start i32)
    (local.set $start (local.get $result))
    (loop $next
      (if (i32.le_u (i32.load16_u (local.get $distance)) (local.get $maximum))
        (then
          (i32.store (local.get $result) (local.get $index))
          local.get $result
          local.get $distance  i64.load16_u
          i64.const 0
          local.get $string  i64.load offset=0      i32.const 0  i64.load offset=48     i64.xor  i64.popcnt  i64.add
          local.get $string  i64.load offset=8      i32.const 0  i64.load offset=56     i64.xor  i64.popcnt  i64.add
          local.get $string  i64.load offset=16     i32.const 0  i64.load offset=64     i64.xor  i64.popcnt  i64.add
          local.get $string  i64.load offset=24     i32.const 0  i64.load offset=72     i64.xor  i64.popcnt  i64.add
          local.get $string  i64.load offset=32     i32.const 0  i64.load offset=80     i64.xor  i64.popcnt  i64.add
          local.get $string  i64.load offset=40     i32.const 0  i64.load offset=88     i64.xor  i64.popcnt  i64.add
          local.get $string  i64.load offset=48     i32.const 0  i64.load offset=96     i64.xor  i64.popcnt  i64.add
          local.get $string  i64.load offset=56     i32.const 0  i64.load offset=104    i64.xor  i64.popcnt  i64.add
          local.get $string  i64.load offset=64     i32.const 0  i64.load offset=112    i64.xor  i64.popcnt  i64.add
          global.get $first  i64.mul
          i64.add
          i64.const 0
          local.get $string  i64.load offset=72     i32.const 0  i64.load offset=120    i64.xor  i64.popcnt  i64.add
          local.get $string  i64.load offset=80     i32.const 0  i64.load offset=128    i64.xor  i64.popcnt  i64.add
          local.get $string  i64.load offset=88     i32.const 0  i64.load offset=136    i64.xor  i64.popcnt  i64.add
          local.get $string  i64.load offset=96     i32.const 0  i64.load offset=144    i64.xor  i64.popcnt  i64.add
          local.get $string  i64.load offset=104    i32.const 0  i64.load offset=152    i64.xor  i64.popcnt  i64.add
          local.get $string  i64.load offset=112    i32.const 0  i64.load offset=160    i64.xor  i64.popcnt  i64.add
          local.get $string  i64.load offset=120    i32.const 0  i64.load offset=168    i64.xor  i64.popcnt  i64.add
          local.get $string  i64.load offset=128    i32.const 0  i64.load offset=176    i64.xor  i64.popcnt  i64.add
          local.get $string  i64.load offset=136    i32.const 0  i64.load offset=184    i64.xor  i64.popcnt  i64.add
          global.get $second  i64.mul
          i64.add
          i64.store32 offset=4
          (local.set $result (i32.add (local.get $result) (i32.const 8)))))

      (local.set $distance (i32.add (local.get $distance) (i32.const 2)))
      (local.set $string (i32.add (local.get $string) (i32.const 144)))
      (br_if $next (i32.lt_u (local.tee $index (i32.add (local.get $index) (i32.const 1))) (local.get $count))))
    (i32.shr_u (i32.sub (local.get $result) (local.get $start)) (i32.const 3))))
