// Linux calls that the C library declares only with _GNU_SOURCE, which Swift's Glibc module is
// built without. On other systems this header is empty.
#ifdef __linux__
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

extern int sync_file_range(int fd, long long offset, long long count, unsigned int flags);
extern int fallocate(int fd, int mode, long long offset, long long count);
extern ssize_t copy_file_range(
    int source, long long *_Nullable source_offset,
    int target, long long *_Nullable target_offset,
    size_t count, unsigned int flags);

extern ssize_t preadv2(
    int fd, const struct iovec *_Nonnull pieces, int count, long long offset, int flags);

// The number of the flag differs between processors.
#if defined(__aarch64__) || defined(__arm__)
enum { OTA_O_DIRECT = 0200000 };
#else
enum { OTA_O_DIRECT = 040000 };
#endif
enum { OTA_SYNC_FILE_RANGE_WRITE = 2, OTA_FALLOC_FL_KEEP_SIZE = 1, OTA_RWF_NOWAIT = 8 };

// Confinement. A filter of system calls (seccomp) that this process and what it starts can never
// take off again. What it names fails with EPERM: sockets, starting other programs, and the calls by
// which a process reaches into another one or around the filter.

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OTA_AUDIT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OTA_AUDIT_ARCH AUDIT_ARCH_AARCH64
#endif

// 0, or the number of the error.
static inline int ota_deny_memory_to_others(void) {
    struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none) != 0) return errno;
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return errno;
    return 0;
}

// 0, or the number of the error; ENOSYS on a processor that the filter is not written for.
static inline int ota_deny_network_and_programs(void) {
#ifdef OTA_AUDIT_ARCH
#define OTA_DENY(number) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), \
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (EPERM & SECCOMP_RET_DATA))
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OTA_AUDIT_ARCH, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#if defined(__x86_64__)
        // The same calls under other numbers (x32).
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (EPERM & SECCOMP_RET_DATA)),
#endif
        OTA_DENY(SYS_socket), OTA_DENY(SYS_socketpair), OTA_DENY(SYS_connect),
        OTA_DENY(SYS_bind), OTA_DENY(SYS_listen), OTA_DENY(SYS_accept), OTA_DENY(SYS_accept4),
        OTA_DENY(SYS_sendto), OTA_DENY(SYS_sendmsg), OTA_DENY(SYS_sendmmsg),
        OTA_DENY(SYS_recvfrom), OTA_DENY(SYS_recvmsg), OTA_DENY(SYS_recvmmsg),
        OTA_DENY(SYS_execve), OTA_DENY(SYS_execveat),
        OTA_DENY(SYS_ptrace), OTA_DENY(SYS_process_vm_readv), OTA_DENY(SYS_process_vm_writev),
        OTA_DENY(SYS_bpf), OTA_DENY(SYS_perf_event_open), OTA_DENY(SYS_userfaultfd),
        OTA_DENY(SYS_mount), OTA_DENY(SYS_umount2), OTA_DENY(SYS_unshare), OTA_DENY(SYS_setns),
        OTA_DENY(SYS_pivot_root), OTA_DENY(SYS_chroot),
        OTA_DENY(SYS_add_key), OTA_DENY(SYS_request_key), OTA_DENY(SYS_keyctl),
        // Numbers that all processors share since Linux 5.1; older headers do not name them.
        OTA_DENY(425), OTA_DENY(426), OTA_DENY(427), // io_uring_setup, _enter, _register
        OTA_DENY(438), // pidfd_getfd
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
#undef OTA_DENY
    struct sock_fprog program = {
        .len = (unsigned short)(sizeof(filter) / sizeof(filter[0])),
        .filter = filter,
    };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    // For every thread that there is; a number above 0 is one that does not take it.
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    if (result > 0) return EBUSY;
    return result == 0 ? 0 : errno;
#else
    return ENOSYS;
#endif
}
#endif
