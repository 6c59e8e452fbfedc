import Essentials
import Sandboxing

/// Confines itself, tries what it must not be able to do any more, and says how that went: one line for
/// each attempt, with the number of the error, or 0.
@main
struct ConfinedChild {
    static func main() throws {
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
        // What signing needs is still there.
        say("file", open("/dev/null", O_RDONLY))
        #endif
    }

    private static func say(_ attempt: String, _ result: Int32) {
        print("\(attempt): \(result < 0 ? errno : 0)")
    }

    private static func open(_ path: String, _ flags: Int32) -> Int32 {
        unsafe Essentials.open(path, flags)
    }
}
