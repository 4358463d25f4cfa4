// Loaded into the program with LD_PRELOAD (preload.ts compiles it). For the files of one data directory it records what is
// written and synced, and lets chosen calls fail; for the whole process it shifts the wall clock. Without the variables
// below it does nothing.
//
// TORTURE_DIR: the data directory, as an absolute path. TORTURE_CONTROL: a file of 4096 bytes, `struct control`.
// TORTURE_RECORD: a file to which records are appended, each `struct record`, the name and the data.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum call { CALL_WRITE, CALL_SYNC, CALL_READ, CALL_TRUNCATE, CALL_OPEN, CALL_UNLINK, CALLS };
enum kind { KIND_WRITE = 1, KIND_TRUNCATE, KIND_SYNC, KIND_CREATE, KIND_UNLINK, KIND_SYNC_DIRECTORY };

struct control {
  _Atomic int64_t clock_offset_ns;
  // Bits of `enum call` that count and fail.
  _Atomic uint32_t calls;
  _Atomic int32_t error;
  // This many matching calls succeed, then `length` fail.
  _Atomic int32_t skip;
  _Atomic int32_t length;
  _Atomic uint64_t failed;
  _Atomic uint64_t made[CALLS];
};

struct record {
  uint32_t kind;
  uint32_t name_bytes;
  uint64_t offset;
  uint64_t data_bytes;
};

#define MAX_DESCRIPTORS 4096
#define MAX_NAME 128

static char directory[PATH_MAX];
static size_t directory_bytes;
static struct control *control;
static int record_fd = -1;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
// The name of each open file of the data directory; "." for the directory itself, "" for other files.
static char names[MAX_DESCRIPTORS][MAX_NAME];

#define REAL(result, name, ...) \
  static result (*real_##name)(__VA_ARGS__); \
  if (!real_##name) real_##name = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void start(void) {
  const char *dir = getenv("TORTURE_DIR");
  const char *control_path = getenv("TORTURE_CONTROL");
  const char *record_path = getenv("TORTURE_RECORD");
  if (!dir || !control_path) return;
  strncpy(directory, dir, sizeof directory - 1);
  directory_bytes = strlen(directory);
  int fd = (int)syscall(SYS_openat, AT_FDCWD, control_path, O_RDWR | O_CLOEXEC, 0);
  if (fd < 0) return;
  void *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  syscall(SYS_close, fd);
  if (mapped != MAP_FAILED) control = mapped;
  if (record_path)
    record_fd = (int)syscall(SYS_openat, AT_FDCWD, record_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

// The name of a path inside the data directory; NULL for any other. The -shm file is memory, not storage.
static const char *inside(const char *path) {
  if (!directory_bytes || strncmp(path, directory, directory_bytes)) return NULL;
  path += directory_bytes;
  if (*path == 0 || !strcmp(path, "/")) return ".";
  if (*path != '/' || strlen(path + 1) >= MAX_NAME) return NULL;
  const char *end = strrchr(path, '-');
  return end && !strcmp(end, "-shm") ? NULL : path + 1;
}

static const char *name_of(int fd) {
  return fd >= 0 && fd < MAX_DESCRIPTORS && names[fd][0] ? names[fd] : NULL;
}

static void append(enum kind kind, const char *name, uint64_t offset, const void *data, uint64_t bytes) {
  if (record_fd < 0) return;
  struct record record = {kind, (uint32_t)strlen(name), offset, data ? bytes : 0};
  struct iovec parts[3] = {{&record, sizeof record}, {(void *)name, record.name_bytes}, {(void *)data, record.data_bytes}};
  if (syscall(SYS_writev, record_fd, parts, 3) < 0) abort();
}

// Whether this call is one of those that fail; sets errno then.
static int fails(enum call call) {
  if (!control) return 0;
  atomic_fetch_add(&control->made[call], 1);
  if (!(atomic_load(&control->calls) & (1u << call))) return 0;
  if (atomic_fetch_sub(&control->skip, 1) > 0) return 0;
  if (atomic_fetch_sub(&control->length, 1) <= 0) return 0;
  atomic_fetch_add(&control->failed, 1);
  errno = atomic_load(&control->error);
  return 1;
}

static int opened(int fd, const char *name, int is_new) {
  if (fd >= 0 && fd < MAX_DESCRIPTORS) {
    if (is_new) append(KIND_CREATE, name, 0, NULL, 0);
    strcpy(names[fd], name);
  }
  return fd;
}

static int open_inside(const char *name, const char *path, int flags, mode_t mode) {
  if (strcmp(name, ".") && fails(CALL_OPEN)) return -1;
  struct stat found;
  pthread_mutex_lock(&order);
  int is_new = (flags & O_CREAT) && stat(path, &found) != 0;
  int fd = opened((int)syscall(SYS_openat, AT_FDCWD, path, flags, mode), name, is_new);
  pthread_mutex_unlock(&order);
  return fd;
}

#define OPEN(function) \
  int function(const char *path, int flags, ...) { \
    va_list list; \
    va_start(list, flags); \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; \
    va_end(list); \
    const char *name = inside(path); \
    if (name) return open_inside(name, path, flags, mode); \
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

int close(int fd) {
  if (fd >= 0 && fd < MAX_DESCRIPTORS) names[fd][0] = 0;
  REAL(int, close, int);
  return real_close(fd);
}

static ssize_t write_at(int fd, const void *data, size_t bytes, off64_t offset) {
  const char *name = name_of(fd);
  if (!name) return syscall(SYS_pwrite64, fd, data, bytes, offset);
  if (fails(CALL_WRITE)) return -1;
  pthread_mutex_lock(&order);
  ssize_t written = syscall(SYS_pwrite64, fd, data, bytes, offset);
  if (written > 0) append(KIND_WRITE, name, (uint64_t)offset, data, (uint64_t)written);
  pthread_mutex_unlock(&order);
  return written;
}
ssize_t pwrite(int fd, const void *data, size_t bytes, off_t offset) { return write_at(fd, data, bytes, offset); }
ssize_t pwrite64(int fd, const void *data, size_t bytes, off64_t offset) { return write_at(fd, data, bytes, offset); }

static ssize_t read_at(int fd, void *data, size_t bytes, off64_t offset) {
  if (name_of(fd) && fails(CALL_READ)) return -1;
  return syscall(SYS_pread64, fd, data, bytes, offset);
}
ssize_t pread(int fd, void *data, size_t bytes, off_t offset) { return read_at(fd, data, bytes, offset); }
ssize_t pread64(int fd, void *data, size_t bytes, off64_t offset) { return read_at(fd, data, bytes, offset); }

static int truncate_to(int fd, off64_t bytes) {
  const char *name = name_of(fd);
  if (!name) return (int)syscall(SYS_ftruncate, fd, bytes);
  if (fails(CALL_TRUNCATE)) return -1;
  pthread_mutex_lock(&order);
  int result = (int)syscall(SYS_ftruncate, fd, bytes);
  if (result == 0) append(KIND_TRUNCATE, name, (uint64_t)bytes, NULL, 0);
  pthread_mutex_unlock(&order);
  return result;
}
int ftruncate(int fd, off_t bytes) { return truncate_to(fd, bytes); }
int ftruncate64(int fd, off64_t bytes) { return truncate_to(fd, bytes); }

// The runtime opens files without open(), so that names does not have those that it syncs.
static const char *name_of_synced(int fd, char path[PATH_MAX]) {
  const char *name = name_of(fd);
  if (name || !directory_bytes) return name;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t bytes = readlink(link, path, PATH_MAX - 1);
  if (bytes < 0) return NULL;
  path[bytes] = 0;
  return inside(path);
}

static int sync_file(int fd, long number) {
  char path[PATH_MAX];
  const char *name = name_of_synced(fd, path);
  if (!name) return (int)syscall(number, fd);
  if (fails(CALL_SYNC)) return -1;
  pthread_mutex_lock(&order);
  int result = (int)syscall(number, fd);
  if (result == 0) append(strcmp(name, ".") ? KIND_SYNC : KIND_SYNC_DIRECTORY, name, 0, NULL, 0);
  pthread_mutex_unlock(&order);
  return result;
}
int fsync(int fd) { return sync_file(fd, SYS_fsync); }
int fdatasync(int fd) { return sync_file(fd, SYS_fdatasync); }

int unlink(const char *path) {
  const char *name = inside(path);
  if (!name) return (int)syscall(SYS_unlink, path);
  if (fails(CALL_UNLINK)) return -1;
  pthread_mutex_lock(&order);
  int result = (int)syscall(SYS_unlink, path);
  if (result == 0) append(KIND_UNLINK, name, 0, NULL, 0);
  pthread_mutex_unlock(&order);
  return result;
}

static int64_t offset_ns(void) {
  return control ? atomic_load(&control->clock_offset_ns) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  REAL(int, clock_gettime, clockid_t, struct timespec *);
  int result = real_clock_gettime(clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    int64_t ns = (int64_t)time->tv_sec * 1000000000 + time->tv_nsec + offset_ns();
    time->tv_sec = ns / 1000000000;
    time->tv_nsec = ns % 1000000000;
  }
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  struct timespec now;
  int result = clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return result;
}

time_t time(time_t *at) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (at) *at = now.tv_sec;
  return now.tv_sec;
}

// The kernel's clock is not shifted: a wait until a moment of the wall clock would otherwise end at once, or not for months.
static struct timespec unshifted(const struct timespec *until) {
  int64_t ns = (int64_t)until->tv_sec * 1000000000 + until->tv_nsec - offset_ns();
  if (ns < 0) ns = 0;
  return (struct timespec){ns / 1000000000, ns % 1000000000};
}

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until) {
  REAL(int, pthread_cond_timedwait, pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
  // glibc: the second bit says that the condition uses the monotonic clock.
  if (cond->__data.__wrefs & 2) return real_pthread_cond_timedwait(cond, mutex, until);
  struct timespec real = unshifted(until);
  return real_pthread_cond_timedwait(cond, mutex, &real);
}

int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  REAL(int, pthread_cond_clockwait, pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
  if (clock != CLOCK_REALTIME) return real_pthread_cond_clockwait(cond, mutex, clock, until);
  struct timespec real = unshifted(until);
  return real_pthread_cond_clockwait(cond, mutex, clock, &real);
}

int sem_timedwait(sem_t *sem, const struct timespec *until) {
  REAL(int, sem_timedwait, sem_t *, const struct timespec *);
  struct timespec real = unshifted(until);
  return real_sem_timedwait(sem, &real);
}
