// Linux calls that the C library declares only with _GNU_SOURCE, which Swift's Glibc module does not
// define. On other systems this header is empty.
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

// The value of the flag depends on the processor.
#if defined(__aarch64__) || defined(__arm__)
enum { OTA_O_DIRECT = 0200000 };
#else
enum { OTA_O_DIRECT = 040000 };
#endif
enum { OTA_SYNC_FILE_RANGE_WRITE = 2, OTA_FALLOC_FL_KEEP_SIZE = 1, OTA_RWF_NOWAIT = 8 };

// Confinement: seccomp filters of system calls, which this process and its children can never remove. The
// denied calls fail with EPERM.

#include <errno.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OTA_AUDIT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OTA_AUDIT_ARCH AUDIT_ARCH_AARCH64
#endif

// Memory is neither dumped nor readable by processes without CAP_SYS_PTRACE; the files in /proc belong to
// root. Returns 0 or the error number.
static inline int ota_deny_memory_to_others(void) {
    struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none) != 0) return errno;
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return errno;
    return 0;
}

// Sends this process SIGKILL when the thread that started it ends. The caller must check its parent
// afterwards, which may have ended before. Returns 0 or the error number.
static inline int ota_end_with_parent(void) {
    return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 ? 0 : errno;
}

// Programs that this thread and its children execute from now on get none of this process's capabilities;
// the process itself keeps them. Returns 0 or the error number.
static inline int ota_keep_capabilities_from_programs(void) {
    return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0 ? 0 : errno;
}

// Drops all capabilities of root except access to files of other users. Returns 0 or the error number.
static inline int ota_drop_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    if (syscall(SYS_capget, &header, data) != 0) return errno;
    uint32_t kept = 1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH | 1u << CAP_FOWNER;
    data[0].effective &= kept;
    data[0].permitted &= kept;
    data[0].inheritable = 0;
    data[1].effective = data[1].permitted = data[1].inheritable = 0;
    return syscall(SYS_capset, &header, data) == 0 ? 0 : errno;
}

#ifdef OTA_AUDIT_ARCH
#define OTA_FAIL(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ((error) & SECCOMP_RET_DATA))
#define OTA_DENY(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), OTA_FAIL(EPERM)
// Allows a call only if its first argument has one value. The argument replaces the loaded call number,
// so both branches end the filter.
#define OTA_ONLY(number, first) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 4), \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])), \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (first), 0, 1), \
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), OTA_FAIL(EPERM)
#define OTA_CALLS_OF_THIS_PROCESSOR \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)), \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OTA_AUDIT_ARCH, 1, 0), \
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS), \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))

static inline int ota_filter(struct sock_filter *_Nonnull filter, size_t count) {
    struct sock_fprog program = {.len = (unsigned short)count, .filter = filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    // For all threads; a positive result is the ID of a thread that could not be synchronized.
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    if (result > 0) return EBUSY;
    return result == 0 ? 0 : errno;
}
#endif

// Denies sockets, executing programs, other processes, and the calls by which a process reaches into
// another one or around the filter. Threads can be started, and the process can end itself by a signal.
// Returns 0 or the error number; ENOSYS on a processor for which there is no filter.
static inline int ota_deny_network_and_programs(void) {
#ifdef OTA_AUDIT_ARCH
    uint32_t self = (uint32_t)getpid();
    struct sock_filter filter[] = {
        OTA_CALLS_OF_THIS_PROCESSOR,
#if defined(__x86_64__)
        // The same calls with the numbers of x32.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), OTA_FAIL(EPERM),
        OTA_DENY(SYS_fork), OTA_DENY(SYS_vfork),
#endif
        OTA_DENY(SYS_socket), OTA_DENY(SYS_socketpair), OTA_DENY(SYS_connect),
        OTA_DENY(SYS_bind), OTA_DENY(SYS_listen), OTA_DENY(SYS_accept), OTA_DENY(SYS_accept4),
        OTA_DENY(SYS_sendto), OTA_DENY(SYS_sendmsg), OTA_DENY(SYS_sendmmsg),
        OTA_DENY(SYS_recvfrom), OTA_DENY(SYS_recvmsg), OTA_DENY(SYS_recvmmsg),
        OTA_DENY(SYS_execve), OTA_DENY(SYS_execveat),
        OTA_DENY(SYS_ptrace), OTA_DENY(SYS_process_vm_readv), OTA_DENY(SYS_process_vm_writev),
        OTA_DENY(SYS_bpf), OTA_DENY(SYS_perf_event_open), OTA_DENY(SYS_userfaultfd),
        OTA_DENY(SYS_mount), OTA_DENY(SYS_umount2), OTA_DENY(SYS_unshare), OTA_DENY(SYS_setns),
        OTA_DENY(SYS_pivot_root), OTA_DENY(SYS_chroot), OTA_DENY(SYS_open_by_handle_at),
        OTA_DENY(SYS_add_key), OTA_DENY(SYS_request_key), OTA_DENY(SYS_keyctl),
        OTA_DENY(SYS_tkill), OTA_DENY(SYS_rt_sigqueueinfo), OTA_DENY(SYS_rt_tgsigqueueinfo),
        OTA_DENY(SYS_kcmp),
        // Numbers that are the same on all processors since Linux 5.1; older headers do not define them.
        OTA_DENY(425), OTA_DENY(426), OTA_DENY(427), // io_uring_setup, _enter, _register
        OTA_DENY(424), OTA_DENY(434), OTA_DENY(438), // pidfd_send_signal, _open, _getfd
        OTA_DENY(440), OTA_DENY(448), // process_madvise, process_mrelease
        // Its flags are in memory, which a filter cannot read; without clone3, threads are created with
        // clone.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 435, 0, 1), OTA_FAIL(ENOSYS), // clone3
        OTA_ONLY(SYS_kill, self), OTA_ONLY(SYS_tgkill, self), OTA_ONLY(SYS_prlimit64, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x10000, 1, 0), // CLONE_THREAD
        OTA_FAIL(EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    return ota_filter(filter, sizeof(filter) / sizeof(filter[0]));
#else
    return ENOSYS;
#endif
}

// Denies all calls that take the path of a file; open files stay open. Returns 0 or the error number;
// ENOSYS on a processor for which there is no filter.
static inline int ota_deny_files(void) {
#ifdef OTA_AUDIT_ARCH
    struct sock_filter filter[] = {
        OTA_CALLS_OF_THIS_PROCESSOR,
#if defined(__x86_64__)
        OTA_DENY(SYS_open), OTA_DENY(SYS_creat), OTA_DENY(SYS_rename), OTA_DENY(SYS_unlink),
        OTA_DENY(SYS_link), OTA_DENY(SYS_symlink), OTA_DENY(SYS_mkdir), OTA_DENY(SYS_rmdir),
        OTA_DENY(SYS_mknod), OTA_DENY(SYS_chmod), OTA_DENY(SYS_chown), OTA_DENY(SYS_lchown),
        OTA_DENY(SYS_utime), OTA_DENY(SYS_utimes), OTA_DENY(SYS_futimesat),
#endif
        OTA_DENY(SYS_openat), OTA_DENY(437), // openat2
#ifdef SYS_renameat
        OTA_DENY(SYS_renameat),
#endif
        OTA_DENY(SYS_renameat2), OTA_DENY(SYS_unlinkat), OTA_DENY(SYS_linkat),
        OTA_DENY(SYS_symlinkat), OTA_DENY(SYS_mkdirat), OTA_DENY(SYS_mknodat),
        OTA_DENY(SYS_fchmodat), OTA_DENY(452), OTA_DENY(SYS_fchownat), // fchmodat2
        OTA_DENY(SYS_truncate), OTA_DENY(SYS_utimensat), OTA_DENY(SYS_chdir),
        OTA_DENY(SYS_setxattr), OTA_DENY(SYS_lsetxattr), OTA_DENY(463), // setxattrat
        OTA_DENY(SYS_removexattr), OTA_DENY(SYS_lremovexattr), OTA_DENY(466), // removexattrat
        OTA_DENY(SYS_swapon), OTA_DENY(SYS_swapoff), OTA_DENY(SYS_acct),
        OTA_DENY(428), OTA_DENY(429), // open_tree, move_mount
        OTA_DENY(430), OTA_DENY(432), OTA_DENY(433), // fsopen, fsmount, fspick
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    return ota_filter(filter, sizeof(filter) / sizeof(filter[0]));
#else
    return ENOSYS;
#endif
}

// Denies the same by Landlock, another part of the kernel, for this thread and its children: opening
// files, TCP, and signalling or tracing processes outside, as far as the kernel's version supports it.
// Returns 0 or the error number; 0 also without Landlock, on which the filter above does not depend.
static inline int ota_deny_files_by_landlock(void) {
    // landlock_create_ruleset and landlock_restrict_self have the same numbers on all processors.
    long version = syscall(444, (void *)0, (size_t)0, 1u);
    if (version < 1) return 0;
    struct {
        uint64_t files, network, scopes;
    } handled = {0x1fff, 0, 0};
    if (version >= 2) handled.files |= 1u << 13; // refer
    if (version >= 3) handled.files |= 1u << 14; // truncate
    if (version >= 5) handled.files |= 1u << 15; // ioctl of devices
    if (version >= 4) handled.network = 3; // bind and connect of TCP
    if (version >= 6) handled.scopes = 3; // abstract sockets, signals
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int rules = (int)syscall(444, &handled, size, 0u);
    if (rules < 0) return errno;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    long result = syscall(446, rules, 0u);
    int error = result == 0 ? 0 : errno;
    close(rules);
    return error;
}

// Makes a system call by its number, for calls for which the C library's function does more. Returns 0 or
// more, or -1 with `errno`.
static inline int ota_call(long number, long first, long second, long third) {
    return (int)syscall(number, first, second, third, 0L, 0L);
}
#endif
