import Cryptography
package import Essentials

/// Which codes each address typed wrongly of late.
///
/// An address may be wrong five times in a quarter of an hour and twenty times a day. How often all of
/// them together may be wrong, the server bounds besides, and so how many attempts are kept here.
package struct CodeAttempts: Sendable, Equatable {
    /// The span of the short limits, in seconds; as long as a code lives.
    package static let window: TimeInterval = InvitationCode.lifetime
    package static let limitOfAddress = 5
    package static let dailyLimitOfAddress = 20
    private static let day: TimeInterval = 86_400

    private struct Attempt: Sendable, Equatable {
        let source: [UInt8]
        let date: Date
    }

    private var attempts: [Attempt] = []

    package init() {}

    /// How many are remembered.
    package var count: Int { attempts.count }

    /// Counts an attempt before it is known whether the code is right.
    ///
    /// - Throws: ``InvitationRefusal/tooManyAttempts(wait:)``; such an attempt is not counted, and
    ///   its code must not be checked.
    package mutating func admit(
        from address: String,
        at date: Date,
    ) throws(InvitationRefusal) {
        // A clock that was set back must not lock anyone out for longer than a day.
        attempts.removeAll { abs($0.date.timeIntervalSince(date)) >= Self.day }
        let source = Self.source(of: address)
        let own = attempts.filter { $0.source == source }
        let ends = [
            end(of: own, Self.limitOfAddress, within: Self.window, at: date),
            end(of: own, Self.dailyLimitOfAddress, within: Self.day, at: date),
        ]
        if let end = ends.compactMap(\.self).max() {
            throw .tooManyAttempts(wait: max(1, Int(end.timeIntervalSince(date).rounded(.up))))
        }
        attempts.append(Attempt(source: source, date: date))
    }

    /// Takes the last attempt of an address back, for its code was right.
    package mutating func forgive(_ address: String) {
        let source = Self.source(of: address)
        guard let index = attempts.lastIndex(where: { $0.source == source }) else { return }
        attempts.remove(at: index)
    }

    /// When a limit that is reached will not be any more.
    private func end(
        of attempts: [Attempt],
        _ limit: Int,
        within span: TimeInterval,
        at date: Date,
    ) -> Date? {
        let recent = attempts.filter { abs($0.date.timeIntervalSince(date)) < span }
        guard recent.count >= limit else { return nil }
        return recent[recent.count - limit].date.addingTimeInterval(span)
    }

    private static func source(of address: String) -> [UInt8] {
        AlternativeName(address).network ?? SHA256Digest(of: address.utf8).bytes
    }
}
