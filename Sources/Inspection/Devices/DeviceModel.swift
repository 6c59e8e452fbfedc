import Bundles

/// A product type such as `iPhone15,2`: its kind, the generation and which of it.
struct DeviceModel: Equatable {
    enum Kind: String, CaseIterable {
        case phone = "iPhone"
        case pad = "iPad"
        case pod = "iPod"
    }

    let kind: Kind
    /// The number before the comma, which grows with each year's processors.
    let generation: Int
    /// The number after it.
    let variant: Int

    /// As apps name it; iPods count as iPhones.
    var family: DeviceFamily { kind == .pad ? .pad : .phone }

    /// - Returns: nil for anything that is not a phone, a tablet or a player of Apple's.
    init?(_ text: some StringProtocol) {
        guard let kind = Kind.allCases.first(where: { text.hasPrefix($0.rawValue) }) else {
            return nil
        }
        let numbers = text.dropFirst(kind.rawValue.count)
            .split(separator: ",", omittingEmptySubsequences: false)
        guard numbers.count == 2, numbers.allSatisfy({ (1...4).contains($0.utf8.count) }),
            let generation = Int(numbers[0]), let variant = Int(numbers[1])
        else { return nil }
        self.kind = kind
        self.generation = generation
        self.variant = variant
    }
}

extension DeviceModel: Comparable {
    /// Of one kind, by generation; kinds do not compare.
    static func < (left: DeviceModel, right: DeviceModel) -> Bool {
        left.kind == right.kind
            && (left.generation, left.variant) < (right.generation, right.variant)
    }
}
