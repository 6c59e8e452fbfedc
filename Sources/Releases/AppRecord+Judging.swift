package import Access
package import Identifiers

/// What a visitor has proven, as far as access to apps depends on it.
package struct ProvenVisitor: Sendable, Equatable {
    /// How a visitor has proven to know an app's passphrase.
    package enum Passphrase: Sendable, Equatable {
        case unknown
        /// They entered the passphrase of this generation; see ``Access/PassphraseHash/generation``.
        case entered(generation: String)
        /// They have an install link, which was made for someone with access.
        case onLink
    }

    /// The device that enrolled with their browser, or for which their link was made.
    package var device: Device?
    package var passphrase: Passphrase
    /// The rights of a visitor who signed in with the provider, or whose link was made for someone who did.
    package var tester: TesterRight?
    /// Whether they have a token that may read everything of the app.
    package var mayRead: Bool
    /// For a hypothetical visitor: the only group of their approved device.
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

    /// A hypothetical visitor with an approved device in one group.
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

/// The only place where access is decided: pages, images, links, downloads and streams all use it.
extension AppRecord {
    /// What a visitor sees at the app's URL.
    package enum Standing: Sendable, Equatable {
        /// The app, and those of its builds that ``AppRecord/admits(_:to:)-swift.method`` allows.
        case granted
        /// They have to enter the passphrase first.
        case passphrase
        /// They have to sign in at the provider first.
        case signIn
        /// Their device has to be approved first.
        case enrolment
        /// Nothing: the response is the same as for an app that does not exist.
        case hidden
    }

    /// Whether a visitor may see and install the releases of a channel.
    package func admits(_ visitor: ProvenVisitor, to channel: ChannelName) -> Bool {
        admits(visitor, by: access(to: channel))
    }

    /// Whether a visitor may see and install a release, because a channel that offers or has offered it is
    /// open to them.
    package func admits(_ visitor: ProvenVisitor, to release: Release) -> Bool {
        let past = [release.channel] + (release.otherChannels ?? [])
        return past.contains { admits(visitor, to: $0) }
            || channels.contains { channel, offered in
                offered == release.identifier && admits(visitor, to: channel)
            }
    }

    /// Whether a release is open to a visitor only because they signed in with the provider.
    ///
    /// An install link made for them is then valid only as long as their session.
    package func needsSignIn(_ visitor: ProvenVisitor, to release: Release) -> Bool {
        guard visitor.tester != nil else { return false }
        return !admits(ProvenVisitor(device: visitor.device, passphrase: .onLink), to: release)
    }

    /// Whether all releases are open to a visitor, without checking each.
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
            // A member whose device is waiting for approval already knows about the app.
            let isExpected =
                visitor.device.map { device in
                    device.state != .disabled && !device.groups.isDisjoint(with: openGroups)
                } ?? false
            return isExpected ? .enrolment : .hidden
        }
    }

    /// The channel that a page without `?channel=` shows to a visitor: ``defaultChannel`` if it is open to
    /// them, otherwise the first by name that has no end.
    package func defaultChannel(for visitor: ProvenVisitor) -> ChannelName? {
        if let usual = defaultChannel, admits(visitor, to: usual) { return usual }
        return channels.keys.filter { lasts($0) && admits(visitor, to: $0) }.min()
    }

    /// The existing channels that are open to a visitor, by name.
    package func channels(openTo visitor: ProvenVisitor) -> [ChannelName] {
        channels.keys.filter { admits(visitor, to: $0) }.sorted()
    }

    /// The groups to which the app or an existing channel is open.
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
            // Groups from the provider belong to the person, whatever their device.
            if let tester = visitor.tester, !tester.groups.isDisjoint(with: names.names) {
                return true
            }
            return visitor.isApproved && visitor.isMember(ofOneOf: names)
        }
    }
}

extension Device {
    /// Whether it is approved, or registered at Apple.
    package var isApproved: Bool {
        switch state {
        case .approved, .registered: true
        case .invited, .enrolled, .disabled: false
        }
    }
}
