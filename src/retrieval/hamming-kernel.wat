;; Hamming distances from one bit string to many, 1,536 bits each. `bun run kernel` assembles this file into
;; hamming-kernel.wasm, which is committed beside it. Memory is allocated and laid out by hamming-kernel.ts.

(module
  (import "host" "memory" (memory 1))

  ;; Compares the query (192 bytes at address 0) with `$count` bit strings of 192 bytes each, from address `$string` on.
  ;; Writes the number of differing bits of each as two bytes, from address `$result` on. `$count` must be at least 1.
  ;; The 24 words of a string are written out, because a loop over them takes 20 to 35 % longer.
  (func (export "distances") (param $string i32) (param $count i32) (param $result i32)
    (loop $next
      local.get $result
      i64.const 0
      local.get $string  i64.load offset=0    i32.const 0  i64.load offset=0    i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=8    i32.const 0  i64.load offset=8    i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=16   i32.const 0  i64.load offset=16   i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=24   i32.const 0  i64.load offset=24   i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=32   i32.const 0  i64.load offset=32   i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=40   i32.const 0  i64.load offset=40   i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=48   i32.const 0  i64.load offset=48   i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=56   i32.const 0  i64.load offset=56   i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=64   i32.const 0  i64.load offset=64   i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=72   i32.const 0  i64.load offset=72   i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=80   i32.const 0  i64.load offset=80   i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=88   i32.const 0  i64.load offset=88   i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=96   i32.const 0  i64.load offset=96   i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=104  i32.const 0  i64.load offset=104  i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=112  i32.const 0  i64.load offset=112  i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=120  i32.const 0  i64.load offset=120  i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=128  i32.const 0  i64.load offset=128  i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=136  i32.const 0  i64.load offset=136  i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=144  i32.const 0  i64.load offset=144  i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=152  i32.const 0  i64.load offset=152  i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=160  i32.const 0  i64.load offset=160  i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=168  i32.const 0  i64.load offset=168  i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=176  i32.const 0  i64.load offset=176  i64.xor  i64.popcnt  i64.add
      local.get $string  i64.load offset=184  i32.const 0  i64.load offset=184  i64.xor  i64.popcnt  i64.add
      i64.store16

      (local.set $string (i32.add (local.get $string) (i32.const 192)))
      (local.set $result (i32.add (local.get $result) (i32.const 2)))
      (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))))
