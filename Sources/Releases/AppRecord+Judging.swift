package import Access
package import Identifiers

/// What a visitor has proven, as far as access to apps depends on it.
package struct ProvenVisitor: Sendable, Equatable {
    /// How a visitor proved to know the passphrase of an app.
    package enum Passphrase: Sendable, Equatable {
        case unknown
        /// They entered the one of this generation, as ``Access/PassphraseHash/generation`` has it.
        case entered(generation: String)
        /// They hold an install link, which was made for someone who had access.
        case onLink
    }

    /// The device that enrolled with their browser, or that their link was made for.
    package var device: Device?
    package var passphrase: Passphrase
    /// What they may see who has signed in at the provider, or whose link was made for someone who had.
    package var tester: TesterRight?
    /// Whether they hold a token that may read everything of the app.
    package var mayRead: Bool
    /// Of an imagined visitor: the only group that their approved device is in.
    private var imaginedGroup: GroupName?

    package init(
        device: Device? = nil,
        passphrase: Passphrase = .unknown,
        tester: TesterRight? = nil,
        mayRead: Bool = false,
    ) {
        self.device = device
        self.passphrase = passphrase
        self.tester = tester
        self.mayRead = mayRead
    }

    /// A member of one group, with an approved device.
    package init(memberOf group: GroupName) {
        self.init()
        imaginedGroup = group
    }

    fileprivate var isApproved: Bool { device?.isApproved ?? (imaginedGroup != nil) }

    fileprivate func isMember(ofOneOf names: GroupNames) -> Bool {
        if let device { return names.names.contains(where: device.groups.contains) }
        return imaginedGroup.map(names.names.contains) ?? false
    }
}

/// The one judgement of who may see what: pages, images, links, downloads and streams all ask here.
extension AppRecord {
    /// What a visitor meets at the app's address.
    package enum Standing: Sendable, Equatable {
        /// The app, and of its builds those that ``AppRecord/admits(_:to:)-swift.method`` names.
        case granted
        /// They have to enter the passphrase first.
        case passphrase
        /// They have to sign in at the provider first.
        case signIn
        /// Their device has to be approved first.
        case enrolment
        /// Nothing: the address looks as if there were no app.
        case hidden
    }

    /// Whether a visitor may see and install what a channel offers.
    package func admits(_ visitor: ProvenVisitor, to channel: ChannelName) -> Bool {
        admits(visitor, by: access(to: channel))
    }

    /// Whether a visitor may see and install a release: one of the channels that offer it, or have
    /// offered it, is open to them.
    package func admits(_ visitor: ProvenVisitor, to release: Release) -> Bool {
        let past = [release.channel] + (release.otherChannels ?? [])
        return past.contains { admits(visitor, to: $0) }
            || channels.contains { channel, offered in
                offered == release.identifier && admits(visitor, to: channel)
            }
    }

    /// Whether a release is open to a visitor only because they have signed in at the provider.
    ///
    /// A link that they get then opens nothing more once their session has ended.
    package func needsSignIn(_ visitor: ProvenVisitor, to release: Release) -> Bool {
        guard visitor.tester != nil else { return false }
        return !admits(ProvenVisitor(device: visitor.device, passphrase: .onLink), to: release)
    }

    /// Whether every release is open to a visitor, without a look at each.
    package func admitsToAll(_ visitor: ProvenVisitor) -> Bool {
        admits(visitor, by: access)
            && (channelGroups ?? [:]).keys.allSatisfy { admits(visitor, to: $0) }
    }

    package func standing(of visitor: ProvenVisitor) -> Standing {
        if admits(visitor, by: access) { return .granted }
        if channels.keys.contains(where: { admits(visitor, to: $0) }) { return .granted }
        switch access {
        case .open: return .granted
        case .passphrase: return .passphrase
        case .enrolled: return .enrolment
        case .signIn: return .signIn
        case .groups:
            // A member whose device waits for approval is expected, and knows of the app.
            let isExpected =
                visitor.device.map { device in
                    device.state != .disabled && !device.groups.isDisjoint(with: openGroups)
                } ?? false
            return isExpected ? .enrolment : .hidden
        }
    }

    /// The channel that a page without `?channel=` shows to a visitor: ``defaultChannel`` where that
    /// is open to them, else the first by name that lasts.
    package func defaultChannel(for visitor: ProvenVisitor) -> ChannelName? {
        if let usual = defaultChannel, admits(visitor, to: usual) { return usual }
        return channels.keys.filter { lasts($0) && admits(visitor, to: $0) }.min()
    }

    /// The channels that exist and are open to a visitor, by name.
    package func channels(openTo visitor: ProvenVisitor) -> [ChannelName] {
        channels.keys.filter { admits(visitor, to: $0) }.sorted()
    }

    /// The groups that the app or a channel that exists is open to.
    private var openGroups: Set<GroupName> {
        channels.keys.reduce(into: Set(access.groups)) { groups, channel in
            groups.formUnion(access(to: channel).groups)
        }
    }

    private func admits(_ visitor: ProvenVisitor, by access: Access) -> Bool {
        if visitor.mayRead { return true }
        switch access {
        case .open: return true
        case .passphrase:
            switch visitor.passphrase {
            case .unknown: return false
            // An app without a passphrase admits no one.
            case .entered(let generation): return passphrase?.generation == generation
            case .onLink: return true
            }
        case .enrolled: return visitor.isApproved
        case .signIn: return visitor.tester != nil
        case .groups(let names):
            // The provider answers for a person, whatever device that has.
            if let tester = visitor.tester, !tester.groups.isDisjoint(with: names.names) {
                return true
            }
            return visitor.isApproved && visitor.isMember(ofOneOf: names)
        }
    }
}

extension Device {
    /// Whether the team wants it.
    package var isApproved: Bool {
        switch state {
        case .approved, .registered: true
        case .invited, .enrolled, .disabled: false
        }
    }
}
