/// A reason for which a phone does not install or open a build: a row of the catalogue.
///
/// Numbers are stable. Each rule declares which causes it finds.
package struct Cause: Equatable, Sendable {
    /// Which part of `ota`, if any, can detect the cause before a tester taps Install.
    package enum Knowledge: Equatable, Sendable {
        /// Rules detect it from the archive, the registered devices, the store or the date.
        case rules
        /// Another part of `ota` prevents or detects it.
        case elsewhere(String)
        /// It can be detected only on the phone, for the reason given.
        case unknowable(String)
    }

    package let number: Int
    package let title: String
    /// Apple's error codes, as installd, MobileDevice or the kernel report them.
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
