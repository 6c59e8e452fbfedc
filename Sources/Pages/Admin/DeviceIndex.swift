import Essentials
package import Foundation
package import Identifiers
package import Releases
import Synchronization

/// The devices of the register, prepared for searching, filtering and sorting.
///
/// Created once for each state of the register; expensive parts are computed when they are first used.
package final class DeviceIndex: Sendable {
    private struct Entry {
        let state: Device.State
        let text: FoldedText
        let model: String
        let teams: [String]
        let groups: Set<GroupName>
    }

    private struct Made {
        var orders: [DeviceQuery.Column: [Int]] = [:]
        var places: [String: Int]?
        var slots: (day: Int, slots: [DeviceSlots])?
    }

    package let register: DeviceRegister
    private let entries: [Entry]
    /// The names of the devices' models, sorted.
    package let models: [String]
    /// The identifiers of the devices' teams, sorted.
    package let teams: [String]
    private let made = Mutex(Made())
    let placesInUse = Once<[Int]>()
    private let activePlaces = Once<[Int]>()

    package init(_ register: DeviceRegister) {
        self.register = register
        let entries = register.devices.map { device in
            let teams = (device.team.map { [$0] } ?? []) + device.furtherTeams
            let groups = device.groups
            let words =
                [device.name, device.kind, device.model ?? ""] + teams
                + groups.map(\.rawValue).sorted()
            return Entry(
                state: device.state,
                text: FoldedText(words.joined(separator: " ")),
                model: device.modelTitle,
                teams: teams,
                groups: groups,
            )
        }
        self.entries = entries
        models = DeviceIndex.sorted(entries.map(\.model))
        teams = DeviceIndex.sorted(entries.flatMap(\.teams))
    }

    package var devices: [Device] { register.devices }

    /// The result of a query.
    package struct Found: Sendable {
        /// The devices' indices in the register, in the requested order.
        package var places: [Int] = []
        /// The number of devices in each state that match the rest of the query.
        package var counts: [DeviceQuery.Show: Int] = [:]
    }

    package func find(_ query: DeviceQuery) -> Found {
        let words = query.search.split(separator: " ").map { FoldedText($0) }
        let group = GroupName(query.group)
        var found = Found()
        var states: [Device.State: Int] = [:]
        let order = order(by: query.column)
        for place in order {
            let entry = entries[place]
            guard query.model.isEmpty || entry.model == query.model,
                query.team.isEmpty || entry.teams.contains(query.team),
                query.group.isEmpty || group.map({ entry.groups.contains($0) }) == true,
                words.allSatisfy({ entry.text.contains($0) })
            else { continue }
            states[entry.state, default: 0] += 1
            if query.show.includes(entry.state) { found.places.append(place) }
        }
        if query.isDescending { found.places.reverse() }
        for show in DeviceQuery.Show.allCases {
            found.counts[show] = states.reduce(0) { $0 + (show.includes($1.key) ? $1.value : 0) }
        }
        return found
    }

    /// The indices of the devices in use, by name.
    package var active: [Int] {
        activePlaces { order(by: .name).filter { entries[$0].state != .disabled } }
    }

    /// Returns the device of a reference.
    ///
    /// - Parameters:
    ///   - reference: identifies a device in paths.
    ///   - make: computes the reference of a device.
    /// - Returns: the device; nil for an unknown reference.
    package func device(_ reference: String, make: (DeviceUDID) -> String) -> Device? {
        if let places = made.withLock({ $0.places }) {
            return places[reference].map { devices[$0] }
        }
        let references = devices.enumerated().map { (make($0.element.udid), $0.offset) }
        let places = Dictionary(references) { first, _ in first }
        made.withLock { $0.places = places }
        return places[reference].map { devices[$0] }
    }

    /// Returns the slots of the register, which change with it and from one day to the next.
    package func slots(at date: Date) -> [DeviceSlots] {
        let day = Int((date.timeIntervalSince1970 / 86_400).rounded(.down))
        if let known = made.withLock({ $0.slots }), known.day == day { return known.slots }
        let slots = register.slots(at: date)
        made.withLock { $0.slots = (day, slots) }
        return slots
    }

    private func order(by column: DeviceQuery.Column) -> [Int] {
        if let order = made.withLock({ $0.orders[column] }) { return order }
        var order: [Int]
        if column == .name {
            let keys = devices.map { FoldedText($0.name).sortingKey }
            order = devices.indices.sorted { left, right in
                keys[left] == keys[right]
                    ? devices[left].udid < devices[right].udid
                    : keys[left].lexicographicallyPrecedes(keys[right])
            }
        } else {
            let keys = devices.map { $0.sortingKey(of: column) }
            // Devices of equal keys are sorted by name.
            order = self.order(by: .name).enumerated().sorted { left, right in
                let (one, other) = (keys[left.element], keys[right.element])
                return one == other
                    ? left.offset < right.offset : one.lexicographicallyPrecedes(other)
            }.map(\.element)
        }
        made.withLock { $0.orders[column] = order }
        return order
    }

    private static func sorted(_ names: [String]) -> [String] {
        Set(names).map { (key: FoldedText($0).sortingKey, name: $0) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.name)
    }
}

/// Caches the index of the most recent register.
package final class DeviceIndexes: Sendable {
    private let last = Mutex<DeviceIndex?>(nil)
    private let waiting = Mutex<(register: DeviceRegister, count: Int)?>(nil)

    package init() {}

    /// Returns how many devices of a register wait for approval, which every page shows.
    package func waiting(in register: DeviceRegister) -> Int {
        if let known = waiting.withLock({ $0 }), known.register == register { return known.count }
        let count = register.pending.count
        waiting.withLock { $0 = (register, count) }
        return count
    }

    /// Returns the index of a register, the same one if the register has not changed.
    package func index(of register: DeviceRegister) -> DeviceIndex {
        // Comparing registers that share their storage is fast.
        if let known = last.withLock({ $0 }), known.register == register { return known }
        let index = DeviceIndex(register)
        last.withLock { $0 = index }
        return index
    }
}

extension Device {
    /// The name of its model, or of its family if the model is unknown.
    var modelTitle: String { modelName ?? family.title }

    /// Returns bytes that sort devices by a column; devices without a value come last.
    fileprivate func sortingKey(of column: DeviceQuery.Column) -> [UInt8] {
        let last: [UInt8] = [0xFF]
        return switch column {
        case .name: FoldedText(name).sortingKey
        case .model: FoldedText(modelTitle).sortingKey
        case .os: os.map { FoldedText("\($0)").sortingKey } ?? last
        case .team: team.map { FoldedText($0).sortingKey } ?? last
        case .state: [UInt8(clamping: State.allCases.firstIndex(of: state) ?? 0)]
        case .since: Self.bytes(ofSeconds: stateSince)
        }
    }

    /// Returns the seconds of a date, big-endian.
    private static func bytes(ofSeconds date: Date) -> [UInt8] {
        let seconds = UInt64(clamping: Int64(date.timeIntervalSince1970))
        return stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: seconds >> $0) }
    }
}
