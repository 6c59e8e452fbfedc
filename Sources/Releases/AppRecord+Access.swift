import Bytes
package import Identifiers

extension AppRecord {
    /// Who may see the app's pages and install from them.
    package enum Access: TextCoded, Hashable, Sendable {
        /// Anyone who has the link.
        case open
        /// Anyone who knows the passphrase.
        case passphrase
        /// Approved devices only.
        case enrolled
        /// Anyone whom the settings of sign-in take for a tester.
        case signIn
        /// Approved devices of members of at least one of the groups, and people whom the provider makes
        /// members.
        case groups(GroupNames)

        private static let groupsPrefix = "groups:"

        package static let kindOfText =
            "open, passphrase, enrolled, sign-in, or groups: and \(GroupNames.kindOfText): groups:qa,beta"

        package init?(_ text: String) {
            switch text {
            case "open": self = .open
            case "passphrase": self = .passphrase
            case "enrolled": self = .enrolled
            case "sign-in": self = .signIn
            default:
                guard text.utf8.starts(with: Self.groupsPrefix.utf8),
                    let names = GroupNames(String(text.dropFirst(Self.groupsPrefix.count)))
                else { return nil }
                self = .groups(names)
            }
        }

        package var description: String {
            switch self {
            case .open: "open"
            case .passphrase: "passphrase"
            case .enrolled: "enrolled"
            case .signIn: "sign-in"
            case .groups(let names): Self.groupsPrefix + names.description
            }
        }

        /// The groups that it names; none for another kind.
        package var groups: [GroupName] {
            if case .groups(let names) = self { names.names } else { [] }
        }
    }

    /// Who may see a channel: as the app, or the members of groups in place of that.
    package enum ChannelAccess: TextCoded, Hashable, Sendable {
        /// As ``AppRecord/access`` says.
        case app
        case groups(GroupNames)

        package static let kindOfText =
            "app, or groups: and \(GroupNames.kindOfText): groups:qa,beta"

        package init?(_ text: String) {
            guard text != "app" else {
                self = .app
                return
            }
            guard case .groups(let names)? = Access(text) else { return nil }
            self = .groups(names)
        }

        package var description: String {
            switch self {
            case .app: "app"
            case .groups(let names): Access.groups(names).description
            }
        }
    }

    /// How many channels may have groups of their own.
    package static let channelGroupLimit = 200

    /// Who may see what a channel offers.
    package func access(to channel: ChannelName) -> Access {
        channelGroups?[channel].map { .groups($0) } ?? access
    }

    /// Has a channel open to groups of its own, or as the app is.
    ///
    /// The channel need not exist, and keeps this when it ends: what was published on it stays
    /// hidden, and so does a later channel of the same name.
    ///
    /// - Throws: ``GroupRefusal/tooManyChannels(_:)``.
    package mutating func open(
        _ channel: ChannelName,
        to access: ChannelAccess,
    ) throws(GroupRefusal) {
        var groups = channelGroups ?? [:]
        switch access {
        case .app: groups[channel] = nil
        case .groups(let names): groups[channel] = names
        }
        guard groups.count <= Self.channelGroupLimit else {
            throw .tooManyChannels(Self.channelGroupLimit)
        }
        channelGroups = groups.isEmpty ? nil : groups
    }

    /// Every group that the app or one of its channels is open to.
    package var namedGroups: Set<GroupName> {
        Set(access.groups).union((channelGroups ?? [:]).values.flatMap(\.names))
    }

    /// Whether the app, or a channel of it, is open to devices that are in these groups: false only where it
    /// is open to other groups alone.
    package func isOpen(toMembersOf groups: some Sequence<GroupName>) -> Bool {
        guard case .groups = access else { return true }
        return groups.contains(where: namedGroups.contains)
    }
}
