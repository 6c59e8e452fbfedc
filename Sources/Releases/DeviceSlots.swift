package import Foundation

/// How much of one product family's yearly budget is used.
package struct DeviceSlots: Equatable, Sendable {
    package let family: ProductFamily
    /// Devices in use, and those disabled since the membership year began.
    package let used: Int
    package let limit: Int
    /// When disabled devices give their slots back; nil while nobody has said when the
    /// membership renews.
    package let resets: Date?
}

extension DeviceRegister {
    /// The budgets that matter: iPhone and iPad always, others once a device is in them.
    package func slots(at date: Date) -> [DeviceSlots] {
        ProductFamily.allCases.map { slots(of: $0, at: date) }
            .filter { $0.used > 0 || $0.family == .iphone || $0.family == .ipad }
    }

    package func slots(of family: ProductFamily, at date: Date) -> DeviceSlots {
        DeviceSlots(
            family: family,
            used: devices.count { $0.family == family && holdsSlot($0, at: date) },
            limit: Self.slotLimit,
            resets: membershipYear(around: date)?.end,
        )
    }

    /// A disabled device holds its slot until the year in which it was disabled ends.
    func holdsSlot(_ device: Device, at date: Date) -> Bool {
        guard device.state == .disabled, let year = membershipYear(around: date) else {
            return true
        }
        return device.stateSince >= year.start
    }

    private func membershipYear(around date: Date) -> DateInterval? {
        guard let renewal else { return nil }
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
