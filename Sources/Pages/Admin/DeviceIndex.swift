import Essentials
package import Foundation
package import Identifiers
package import Releases
import Synchronization

/// The devices of the register, prepared for lists: searched, filtered and sorted without being read again.
///
/// Made once for each state of the register; what takes long is made when it is first asked for.
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
    /// What the models of devices are called, in order.
    package let models: [String]
    /// The identifiers of the teams that devices name, in order.
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

    /// What a query finds.
    package struct Found: Sendable {
        /// Where the devices are in the register, in the order that was asked for.
        package var places: [Int] = []
        /// How many there are in each state, of those that are as the rest of the query says.
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

    /// The places of the devices in use, by name.
    package var active: [Int] {
        activePlaces { order(by: .name).filter { entries[$0].state != .disabled } }
    }

    /// The device that a reference stands for.
    ///
    /// - Parameters:
    ///   - reference: names a device in addresses.
    ///   - make: makes the reference of a device.
    /// - Returns: nil where it stands for none.
    package func device(_ reference: String, make: (DeviceUDID) -> String) -> Device? {
        if let places = made.withLock({ $0.places }) {
            return places[reference].map { devices[$0] }
        }
        let references = devices.enumerated().map { (make($0.element.udid), $0.offset) }
        let places = Dictionary(references) { first, _ in first }
        made.withLock { $0.places = places }
        return places[reference].map { devices[$0] }
    }

    /// The budgets of the register, which change with it and from one day to the next.
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
            // Devices that are alike follow by name.
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

/// Keeps the index of the register that was asked for last.
package final class DeviceIndexes: Sendable {
    private let last = Mutex<DeviceIndex?>(nil)
    private let waiting = Mutex<(register: DeviceRegister, count: Int)?>(nil)

    package init() {}

    /// How many devices of a register wait for approval, which every page says.
    package func waiting(in register: DeviceRegister) -> Int {
        if let known = waiting.withLock({ $0 }), known.register == register { return known.count }
        let count = register.pending.count
        waiting.withLock { $0 = (register, count) }
        return count
    }

    /// The index of a register; a register that is the same as the last one has the same index.
    package func index(of register: DeviceRegister) -> DeviceIndex {
        // Registers that share their storage are compared in no time.
        if let known = last.withLock({ $0 }), known.register == register { return known }
        let index = DeviceIndex(register)
        last.withLock { $0 = index }
        return index
    }
}

extension Device {
    /// The name of its model, or of its family where the model is not known.
    var modelTitle: String { modelName ?? family.title }

    /// Bytes that sort devices by a column; those without a value come last.
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

    /// The seconds of a date, the most significant byte first.
    private static func bytes(ofSeconds date: Date) -> [UInt8] {
        let seconds = UInt64(clamping: Int64(date.timeIntervalSince1970))
        return stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: seconds >> $0) }
    }
}
