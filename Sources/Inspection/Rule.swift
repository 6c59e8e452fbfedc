import Bundles
import Bytes
import Identifiers

/// One thing that is looked for: declared once, found any number of times.
///
/// ``all`` is the register that documents are generated from; the families beside this file declare
/// their rules and find them.
package struct Rule: Equatable, Sendable {
    /// `family.what-is-wrong`; stable across releases of `ota`.
    package let id: String
    /// What a finding of this rule means, unless it says otherwise itself.
    package let severity: Severity
    /// The cause in a few words.
    package let title: String
    /// What to do, as an instruction.
    package let fix: String
    /// Apple's code for the cause, where one is known.
    package let appleCode: String?
    /// What a tester who taps Install sees; nil where it blocks nothing.
    package let phone: PhoneAnswer?
    /// The causes that a finding of the rule may have.
    package let causes: [Cause]
    /// Whether the answer changes with the date alone.
    package let isDated: Bool

    init(
        _ id: String,
        _ severity: Severity,
        _ title: String,
        fix: String,
        appleCode: String? = nil,
        phone: PhoneAnswer? = nil,
        causes: [Cause] = [],
        isDated: Bool = false,
    ) {
        self.id = id
        self.severity = severity
        self.title = title
        self.fix = fix
        self.appleCode = appleCode
        self.phone = phone ?? (severity == .blocks ? PhoneAnswer(appleCode: appleCode) : nil)
        self.causes = causes
        self.isDated = isDated
    }

    /// A finding of this rule, with the sentence that names the values; `place` is a path in the
    /// archive, or what of the archive is meant.
    func finding(
        _ message: String,
        at place: some Place,
        severity: Severity? = nil,
        devices: [DeviceUDID]? = nil,
    ) -> Finding {
        Finding(
            id: id,
            severity: severity ?? self.severity,
            place: place.printable.text,
            message: message,
            fix: fix,
            appleCode: appleCode,
            devices: devices,
        )
    }

    /// A finding about something that only devices from one version of iOS on refuse.
    ///
    /// It blocks everywhere when the app needs that version anyway, else it warns until the device is
    /// known.
    func finding(
        _ message: String,
        at place: some Place,
        from version: OSVersion,
        minimum: OSVersion?,
    ) -> Finding {
        if let minimum, minimum >= version {
            return finding(message, at: place, severity: .blocks)
        }
        return Finding(
            id: id,
            severity: .warns,
            place: place.printable.text,
            message: message,
            fix: fix,
            appleCode: appleCode,
            blocksFrom: version,
        )
    }

    /// A finding about something that Apple's documents are silent on: it warns, and says so.
    func inference(_ message: String, at place: some Place) -> Finding {
        finding(
            message + " Unverified: Apple does not document this.",
            at: place,
            severity: .warns,
        )
    }
}

extension Rule {
    /// Every rule, by family.
    package static let all: [Rule] =
        zip + bundle + info + profile + identifier + certificate + signature + seal + code
        + entitlement + device + nested + clip + plugin + watch + icon + lint + history

    /// - Returns: nil for an identifier that no rule has.
    package static func named(_ id: String) -> Rule? { byIdentifier[id] }

    private static let byIdentifier = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
}
