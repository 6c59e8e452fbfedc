package import Essentials
package import Identifiers

/// The slots of one product family in a team's membership year.
package struct DeviceSlots: Equatable, Sendable {
    /// Nil for devices without a team.
    package let team: String?
    package let family: ProductFamily
    /// The number of devices in use, and of those disabled since the membership year began.
    package let used: Int
    package let limit: Int
    /// When disabled devices free their slots; nil if the renewal date of the membership is unknown.
    package let resets: Date?
}

extension DeviceRegister {
    /// The relevant slots: iPhone and iPad always, other families if they have devices; first those of
    /// devices without a team.
    package func slots(at date: Date) -> [DeviceSlots] {
        let further = devices.lazy.compactMap(\.further).joined().map(\.team)
        let teams = Set(devices.compactMap(\.team)).union(further).union((renewals ?? [:]).keys)
            .sorted()
        let used = usedSlots(at: date)
        return ([nil] + teams).flatMap { team in
            let resets = membershipYear(of: team, around: date)?.end
            return ProductFamily.allCases.map { family in
                DeviceSlots(
                    team: team,
                    family: family,
                    used: used[Budget(team: team, family: family)] ?? 0,
                    limit: Self.slotLimit,
                    resets: resets,
                )
            }
            .filter { $0.used > 0 || $0.family == .iphone || $0.family == .ipad }
        }
    }

    /// The team and product family of slots.
    private struct Budget: Hashable {
        let team: String?
        let family: ProductFamily
    }

    /// Counts all used slots in one pass over the devices.
    private func usedSlots(at date: Date) -> [Budget: Int] {
        var used: [Budget: Int] = [:]
        for device in devices {
            if device.further == nil {
                guard holdsSlot(device, at: date) else { continue }
                used[Budget(team: device.team, family: device.family), default: 0] += 1
                continue
            }
            for place in device.places where holdsSlot(place, at: date) {
                used[Budget(team: place.team, family: device.family), default: 0] += 1
            }
        }
        return used
    }

    package func slots(
        of family: ProductFamily,
        team: String? = nil,
        at date: Date,
    ) -> DeviceSlots {
        DeviceSlots(
            team: team,
            family: family,
            used: devices.count { device in
                guard device.family == family, let place = device.place(in: team) else {
                    return false
                }
                return holdsSlot(place, at: date)
            },
            limit: Self.slotLimit,
            resets: membershipYear(of: team, around: date)?.end,
        )
    }

    /// Whether a device holds a slot: from its approval, and once disabled until the end of the membership
    /// year in which it was disabled.
    func holdsSlot(_ device: Device, at date: Date) -> Bool {
        let isHeld = { (state: Device.State) in state == .approved || state == .registered }
        if isHeld(device.state) { return true }
        let history = device.history
        guard let last = history.lastIndex(where: { isHeld($0.state) }) else { return false }
        guard let released = history[last...].dropFirst().first?.date,
            let year = membershipYear(of: device.team, around: date)
        else { return true }
        return released >= year.start
    }

    private func membershipYear(of team: String?, around date: Date) -> DateInterval? {
        guard let renewal = team.map({ renewals?[$0] }) ?? renewal else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let day = calendar.dateComponents([.month, .day], from: renewal)
        guard
            let end = calendar.nextDate(
                after: date,
                matching: day,
                matchingPolicy: .nextTime,
            ),
            let start = calendar.date(byAdding: .year, value: -1, to: end)
        else { return nil }
        return DateInterval(start: start, end: end)
    }
}
