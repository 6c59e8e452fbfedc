// Shifts the clock of a process by CLOCK_AHEAD seconds; loaded with LD_PRELOAD.
//
// Only the time of day is shifted. faketime shifts monotonic clocks too, so that no timer of libdispatch ever
// fires: a server would neither renew its leases nor poll for changes.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static long ahead(void) {
  const char *text = getenv("CLOCK_AHEAD");
  return text ? atol(text) : 0;
}

static int is_time_of_day(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE; }

int clock_gettime(clockid_t clock, struct timespec *now) {
  int failed = (int)syscall(SYS_clock_gettime, clock, now);
  if (!failed && is_time_of_day(clock)) now->tv_sec += ahead();
  return failed;
}

int gettimeofday(struct timeval *now, void *zone) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *now) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (now) *now = exact.tv_sec;
  return exact.tv_sec;
}

// The absolute time until which the kernel is to wait; a monotonic time (since boot) is much smaller and
// kept.
static struct timespec real(const struct timespec *end) {
  struct timespec real = *end;
  if (real.tv_sec > 1000000000) real.tv_sec -= ahead();
  return real;
}

int sem_timedwait(sem_t *semaphore, const struct timespec *end) {
  int (*wait)(sem_t *, const struct timespec *) = dlsym(RTLD_NEXT, "sem_timedwait");
  struct timespec until = real(end);
  return wait(semaphore, &until);
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *end) {
  // glibc also has an older version of this symbol, for old programs.
  int (*wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *) =
      dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  if (!wait) wait = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  struct timespec until = real(end);
  return wait(condition, mutex, &until);
}

int timerfd_settime(int timer, int flags, const struct itimerspec *new, struct itimerspec *old) {
  int (*set)(int, int, const struct itimerspec *, struct itimerspec *) = dlsym(RTLD_NEXT, "timerfd_settime");
  struct itimerspec wanted = *new;
  if (flags & TFD_TIMER_ABSTIME) wanted.it_value = real(&new->it_value);
  return set(timer, flags, &wanted, old);
}
