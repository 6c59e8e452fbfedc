import Cryptography
package import Essentials

/// The recent wrong codes of each address.
///
/// An address may enter five wrong codes in 15 minutes and twenty a day. The server also limits the wrong
/// codes of all addresses together, which bounds how many attempts are kept here.
package struct CodeAttempts: Sendable, Equatable {
    /// The period of the short limit in seconds, as long as a code is valid.
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

    /// The number of attempts kept.
    package var count: Int { attempts.count }

    /// Counts an attempt before its code is compared.
    ///
    /// - Throws: ``InvitationRefusal/tooManyAttempts(wait:)``; such an attempt is not counted, and its
    ///   code must not be compared.
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

    /// Removes the last attempt of an address, because its code was right or was not compared.
    package mutating func forgive(_ address: String) {
        let source = Self.source(of: address)
        guard let index = attempts.lastIndex(where: { $0.source == source }) else { return }
        attempts.remove(at: index)
    }

    /// Returns when a limit that has been reached ends; nil if it has not been reached.
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
