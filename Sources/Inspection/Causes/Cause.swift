/// One reason for which a phone does not install or open a build: a row of the catalogue.
///
/// Numbers are stable. Which rules find a cause is said by the rules themselves.
package struct Cause: Equatable, Sendable {
    /// Who can know of it before a tester taps Install.
    package enum Knowledge: Equatable, Sendable {
        /// Rules find it in the archive, the register, the store or the clock.
        case rules
        /// Another part of `ota` prevents or finds it.
        case elsewhere(String)
        /// Nothing off the phone can know it, for the reason given.
        case unknowable(String)
    }

    package let number: Int
    package let title: String
    /// Apple's codes, as installd, MobileDevice or the kernel give them.
    package let codes: [String]
    package let knowledge: Knowledge

    init(
        _ number: Int,
        _ title: String,
        _ codes: [String] = [],
        _ knowledge: Knowledge = .rules,
    ) {
        self.number = number
        self.title = title
        self.codes = codes
        self.knowledge = knowledge
    }

    /// The rules that find it.
    package var rules: [Rule] { Rule.all.filter { $0.causes.contains(self) } }

    package static let all: [Cause] = signing + installing + delivery
}
