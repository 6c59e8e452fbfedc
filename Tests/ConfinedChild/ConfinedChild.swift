import Bytes
import CLinux
import Essentials
import Sandboxing
import Synchronization

/// Confines itself, attempts what it must no longer be able to do, and prints a line for each attempt with
/// its errno, or 0.
@main
struct ConfinedChild {
    static func main() throws {
        let input = open("/dev/null", O_RDONLY)
        try Confinement.denyNetworkAndPrograms()
        #if os(Linux)
        for family in [AF_INET, AF_INET6, AF_UNIX, AF_NETLINK] {
            let stream = Int32(SOCK_STREAM.rawValue)
            say("socket \(family)", socket(family, stream, 0))
        }
        var pair: [Int32] = [-1, -1]
        say("socketpair", unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair))
        var address = sockaddr()
        say("connect", unsafe connect(0, &address, 16))
        var words: [UnsafeMutablePointer<CChar>?] = unsafe [strdup("true"), nil]
        say("exec", unsafe execv("/bin/true", &words))
        // The C library's functions need a lock; the filter sees the same system call.
        for (name, number) in [("fork", 57), ("vfork", 58)] where Self.isIntel {
            say(name, ota_call(number, 0, 0, 0))
        }
        let clone = Self.isIntel ? 56 : 220
        say("clone", ota_call(clone, Int(SIGCHLD), 0, 0))
        let parent = getppid()
        say("kill", kill(parent, 0))
        say(
            "signal of another thread",
            ota_call(Self.isIntel ? 234 : 131, Int(parent), Int(parent), 0),
        )
        say("limits of another", ota_call(Self.isIntel ? 302 : 261, Int(parent), 7, 0))
        say("handle of a process", ota_call(434, Int(parent), 0, 0))
        // Signing still has what it needs.
        say("file", open("/dev/null", O_RDONLY))
        say("kill itself with nothing", kill(getpid(), 0))
        var thread = pthread_t()
        let started = unsafe pthread_create(&thread, nil, { _ in nil }, nil)
        say("thread", -started)
        try Confinement.denyFiles()
        say("read a file", open("/dev/null", O_RDONLY))
        say("write a file", open("/dev/null", O_WRONLY))
        say("memory of another", open("/proc/\(parent)/mem", O_RDONLY))
        say("remove a file", unsafe unlink("/dev/nothing"))
        say("rename a file", unsafe rename("/dev/nothing", "/dev/nothing-else"))
        say("make a folder", unsafe mkdir("/dev/nothing", 0o700))
        // More threads than CPUs, and for longer than libdispatch waits before it starts another thread.
        let working = Atomic<Int32>(0)
        WorkerThread.run(on: 8) {
            sleep(2)
            working.add(1, ordering: .relaxed)
        }
        say("\(working.load(ordering: .relaxed)) threads at work", 0)
        var byte: UInt8 = 0
        say("open file", Int32(unsafe read(input, &byte, 1)))
        #endif
    }

    private static var isIntel: Bool {
        #if arch(x86_64)
        true
        #else
        false
        #endif
    }

    private static func say(_ attempt: String, _ result: Int32) {
        print("\(attempt): \(result < 0 ? errno : 0)")
    }

    private static func open(_ path: String, _ flags: Int32) -> Int32 {
        unsafe Essentials.open(path, flags)
    }
}
