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
        /// Anyone whom the sign-in settings admit as a tester.
        case signIn
        /// Approved devices that are members of at least one of the groups, and people who are members by
        /// the sign-in settings.
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

        /// The groups that it names; empty for the other kinds.
        package var groups: [GroupName] {
            if case .groups(let names) = self { names.names } else { [] }
        }
    }

    /// Who may see a channel: everyone who may see the app, or only members of groups.
    package enum ChannelAccess: TextCoded, Hashable, Sendable {
        /// As ``AppRecord/access``.
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

    /// The most channels that may have groups of their own.
    package static let channelGroupLimit = 200

    /// Who may see the releases of a channel.
    package func access(to channel: ChannelName) -> Access {
        channelGroups?[channel].map { .groups($0) } ?? access
    }

    /// Opens a channel to groups of its own, or to everyone who may see the app.
    ///
    /// The channel need not exist, and keeps the setting when it ends: releases published on it stay
    /// hidden, and so does a later channel with the same name.
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

    /// All groups to which the app or one of its channels is open.
    package var namedGroups: Set<GroupName> {
        Set(access.groups).union((channelGroups ?? [:]).values.flatMap(\.names))
    }

    /// Whether the app or one of its channels is open to devices in these groups; false only if the app is
    /// open to groups and none of these is among its own or its channels' groups.
    package func isOpen(toMembersOf groups: some Sequence<GroupName>) -> Bool {
        guard case .groups = access else { return true }
        return groups.contains(where: namedGroups.contains)
    }
}
