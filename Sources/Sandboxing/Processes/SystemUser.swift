import Essentials

/// A system user that a build may run as.
package struct SystemUser: Sendable, Equatable {
    package let name: String
    package let user: UInt32
    package let group: UInt32

    /// - Returns: nil if the system has no user of that name.
    package init?(named name: String) {
        guard let entry = unsafe getpwnam(name) else { return nil }
        self.name = name
        user = unsafe entry.pointee.pw_uid
        group = unsafe entry.pointee.pw_gid
    }

    /// The program of util-linux that changes a process's user irrevocably.
    static let changer = "/usr/bin/setpriv"

    /// Whether this process runs as this user.
    package var isOwn: Bool { user == geteuid() }

    /// Whether this process runs as root, which alone may start programs as another user.
    package static var isRoot: Bool { geteuid() == 0 }
}
