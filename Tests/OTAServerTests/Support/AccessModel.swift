import Identifiers
import Releases

/// Who may see and install what, as simply as it can be said; numbers stand for devices and builds.
struct AccessModel {
    enum State { case absent, waiting, approved, disabled }

    struct App {
        var access = AppRecord.Access.open
        var channelGroups: [String: Set<String>] = [:]
        /// What each channel offers.
        var offers: [String: Int] = [:]
        /// Every channel that a build was ever on.
        var past: [Int: Set<String>] = [:]
        var withdrawn: Set<Int> = []
    }

    struct Invitation {
        var places: Int
        var groups: Set<String>
        /// The groups that were there when it was made, by the number of their creation.
        var generations: [String: Int]
        var users: Set<Int> = []
        var isRevoked = false

        var isOpen: Bool { !isRevoked && users.count < places }
    }

    enum Entry { case granted, passphrase, waiting, hidden }

    /// Of each group, the number of its creation.
    var groups: [String: Int] = [:]
    var members: [String: Set<Int>] = [:]
    var states: [Int: State] = [:]
    var apps: [App] = []
    var invitations: [Invitation] = []
    private var created = 0

    func isOpen(_ app: App, _ channel: String, to device: Int?) -> Bool {
        if let groups = app.channelGroups[channel] { return isMember(device, of: groups) }
        switch app.access {
        case .open: return true
        case .passphrase, .signIn: return false
        case .enrolled: return isApproved(device)
        case .groups(let names): return isMember(device, of: Set(names.names.map(\.rawValue)))
        }
    }

    func entry(_ app: App, _ device: Int?) -> Entry {
        if app.offers.keys.contains(where: { isOpen(app, $0, to: device) }) { return .granted }
        switch app.access {
        case .open: return .granted
        case .passphrase: return .passphrase
        // No one signs in here.
        case .signIn: return .hidden
        case .enrolled: return isApproved(device) ? .granted : .waiting
        case .groups(let names):
            let own = Set(names.names.map(\.rawValue))
            if isMember(device, of: own) { return .granted }
            let all = app.offers.keys.reduce(into: own) { all, channel in
                all.formUnion(app.channelGroups[channel] ?? [])
            }
            guard let device, states[device] == .waiting else { return .hidden }
            return all.contains { members[$0]?.contains(device) == true } ? .waiting : .hidden
        }
    }

    func sees(_ app: App, build: Int, _ device: Int?) -> Bool {
        (app.past[build] ?? []).contains { isOpen(app, $0, to: device) }
    }

    /// Whether an install link that a device was given opens a build now; who has one of an app with a
    /// passphrase knew it.
    func installs(_ app: App, build: Int, _ device: Int) -> Bool {
        guard states[device] != .disabled, states[device] != .absent,
            !app.withdrawn.contains(build)
        else { return false }
        return (app.past[build] ?? []).contains { channel in
            isOpen(app, channel, to: device)
                || app.channelGroups[channel] == nil && app.access == .passphrase
        }
    }

    /// The build on the page without `?channel=`.
    func shown(_ app: App, to device: Int?) -> Int? {
        let open = app.offers.keys.filter { isOpen(app, $0, to: device) }
        return (open.contains("stable") ? "stable" : open.min()).flatMap { app.offers[$0] }
    }

    // MARK: Steps

    var namedGroups: Set<String> {
        apps.reduce(into: []) { all, app in
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
        guard groups[group] != nil, [.waiting, .approved].contains(states[device]) else {
            return false
        }
        members[group, default: []].insert(device)
        return true
    }

    mutating func remove(_ device: Int, from group: String) -> Bool {
        guard groups[group] != nil else { return false }
        members[group]?.remove(device)
        return true
    }

    mutating func disable(_ device: Int) -> Bool {
        guard [.waiting, .approved].contains(states[device]) else { return false }
        states[device] = .disabled
        for group in members.keys { members[group]?.remove(device) }
        return true
    }

    mutating func approve(_ device: Int) -> Bool {
        guard [.waiting, .approved].contains(states[device]) else { return false }
        states[device] = .approved
        return true
    }

    mutating func invite(places: Int, groups names: Set<String>) -> Bool {
        guard names.allSatisfy({ groups[$0] != nil }) else { return false }
        let generations = groups.filter { names.contains($0.key) }
        invitations.append(
            Invitation(places: places, groups: names, generations: generations)
        )
        return true
    }

    mutating func join(_ device: Int, with number: Int) -> Bool {
        guard invitations[number].isOpen, !invitations[number].users.contains(device) else {
            return false
        }
        let invitation = invitations[number]
        invitations[number].users.insert(device)
        if [nil, .absent, .disabled].contains(states[device]) { states[device] = .waiting }
        for group in invitation.groups where groups[group] == invitation.generations[group] {
            members[group, default: []].insert(device)
        }
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

    mutating func publish(_ build: Int, of app: Int, on channel: String) {
        apps[app].offers[channel] = build
        apps[app].past[build, default: []].insert(channel)
    }

    private func isApproved(_ device: Int?) -> Bool {
        device.map { states[$0] == .approved } ?? false
    }

    private func isMember(_ device: Int?, of names: Set<String>) -> Bool {
        guard let device, states[device] == .approved else { return false }
        return names.contains { members[$0]?.contains(device) == true }
    }
}
