import Identifiers
import Releases

/// Who may see and install what, as simply as possible; devices, people, teams, apps and builds are numbers,
/// and dates are whole seconds since 1970.
///
/// The files next to this one model how builds are withdrawn, which slots devices use, and what the
/// provider's people may do.
struct AccessModel {
    enum State { case absent, waiting, approved, disabled }

    struct App {
        var access = AppRecord.Access.open
        var channelGroups: [String: Set<String>] = [:]
        /// The build that each channel offers.
        var offers: [String: Int] = [:]
        /// The ends of temporary channels.
        var ends: [String: Int] = [:]
        /// Channels that have ended at least once.
        var ended: Set<String> = []
        var builds: [Int: Build] = [:]
        /// Nil if the rules of all apps apply.
        var rules: RetentionRules?
        /// The installed build of each device.
        var installed: [Int: Int] = [:]
        /// When devices that the server does not know last downloaded each build.
        var fetched: [Int: Int] = [:]
    }

    struct Invitation {
        var places: Int
        var groups: Set<String>
        /// The groups that existed when it was created, by their generation.
        var generations: [String: Int]
        var users: Set<Int> = []
        var isRevoked = false
        var end = Int.max

        func isOpen(at now: Int) -> Bool { !isRevoked && users.count < places && now < end }
    }

    /// A browser, with the device that enrolled with it and the groups of the person who signed in with it.
    struct Visitor {
        var device: Int?
        /// Nil if no tester is signed in.
        var tester: Set<String>?
    }

    enum Entry { case granted, passphrase, signIn, waiting, hidden }

    var now = 0
    /// The generation of each group: it increases when a group of this name is created again.
    var groups: [String: Int] = [:]
    var members: [String: Set<Int>] = [:]
    var states: [Int: State] = [:]
    var apps: [App] = []
    var invitations: [Invitation] = []
    var usualRules = RetentionRules.everything
    /// When rules were last applied, or first seen.
    var rulesApplied: Int?
    var slots = SlotModel()
    var people = PeopleModel()
    private var created = 0

    // MARK: Who sees what

    /// Whether a channel is open to a visitor; `isOnLink` means that the visitor has an install link, which
    /// only people who knew the passphrase could get.
    func isOpen(
        _ app: App,
        _ channel: String,
        to visitor: Visitor,
        isOnLink: Bool = false,
    ) -> Bool {
        if let groups = app.channelGroups[channel] { return isMember(visitor, of: groups) }
        return switch app.access {
        case .open: true
        case .passphrase: isOnLink
        case .signIn: visitor.tester != nil
        case .enrolled: isApproved(visitor.device)
        case .groups(let names): isMember(visitor, of: Set(names.names.map(\.rawValue)))
        }
    }

    func entry(_ app: App, _ visitor: Visitor) -> Entry {
        if app.offers.keys.contains(where: { isOpen(app, $0, to: visitor) }) { return .granted }
        switch app.access {
        case .open: return .granted
        case .passphrase: return .passphrase
        case .signIn: return visitor.tester == nil ? .signIn : .granted
        case .enrolled: return isApproved(visitor.device) ? .granted : .waiting
        case .groups(let names):
            let own = Set(names.names.map(\.rawValue))
            if isMember(visitor, of: own) { return .granted }
            let all = app.offers.keys.reduce(into: own) { all, channel in
                all.formUnion(app.channelGroups[channel] ?? [])
            }
            guard let device = visitor.device, states[device] == .waiting else { return .hidden }
            return all.contains { members[$0]?.contains(device) == true } ? .waiting : .hidden
        }
    }

    func sees(_ app: App, _ build: Int, _ visitor: Visitor, isOnLink: Bool = false) -> Bool {
        (app.builds[build]?.channels ?? []).contains {
            isOpen(app, $0, to: visitor, isOnLink: isOnLink)
        }
    }

    /// Whether an install link, made for a device or for any, opens a build now.
    func installs(_ app: App, _ build: Int, on link: Visitor) -> Bool {
        guard let kept = app.builds[build], kept.withdrawal == nil else { return false }
        if let device = link.device {
            guard [.waiting, .approved].contains(states[device]) else { return false }
        }
        return sees(app, build, link, isOnLink: true)
    }

    /// The build on the page without `?channel=`.
    func shown(_ app: App, to visitor: Visitor) -> Int? {
        let open = app.offers.keys.filter { app.lasts($0) && isOpen(app, $0, to: visitor) }
        return (open.contains("stable") ? "stable" : open.min()).flatMap { app.offers[$0] }
    }

    private func isApproved(_ device: Int?) -> Bool {
        device.map { states[$0] == .approved } ?? false
    }

    /// A person is a member on any device; a device has to be approved.
    private func isMember(_ visitor: Visitor, of names: Set<String>) -> Bool {
        if let tester = visitor.tester, !tester.isDisjoint(with: names) { return true }
        guard let device = visitor.device, states[device] == .approved else { return false }
        return names.contains { members[$0]?.contains(device) == true }
    }

    // MARK: Steps of groups

    var namedGroups: Set<String> {
        apps.reduce(into: people.namedGroups) { all, app in
            all.formUnion(app.access.groups.map(\.rawValue))
            for groups in app.channelGroups.values { all.formUnion(groups) }
        }
    }

    mutating func create(_ group: String) -> Bool {
        guard groups[group] == nil, !namedGroups.contains(group) else { return false }
        created += 1
        groups[group] = created
        return true
    }

    mutating func delete(_ group: String) -> Bool {
        guard groups[group] != nil, !namedGroups.contains(group) else { return false }
        groups[group] = nil
        members[group] = nil
        return true
    }

    mutating func add(_ device: Int, to group: String) -> Bool {
        guard groups[group] != nil, isInUse(device) else { return false }
        members[group, default: []].insert(device)
        return true
    }

    mutating func remove(_ device: Int, from group: String) -> Bool {
        guard groups[group] != nil else { return false }
        members[group]?.remove(device)
        return true
    }

    mutating func open(_ app: Int, to access: AppRecord.Access) -> Bool {
        guard access.groups.allSatisfy({ groups[$0.rawValue] != nil }) else { return false }
        apps[app].access = access
        return true
    }

    mutating func open(_ channel: String, of app: Int, to names: Set<String>) -> Bool {
        guard names.allSatisfy({ groups[$0] != nil }) else { return false }
        apps[app].channelGroups[channel] = names.isEmpty ? nil : names
        return true
    }
}
