import Bundles
import Bytes
import Identifiers

/// A kind of finding, declared once.
///
/// ``all`` is the register from which documents are generated; the files in `Rules/` declare the rules
/// by family and detect them.
package struct Rule: Equatable, Sendable {
    /// `family.what-is-wrong`; stable across releases of `ota`.
    package let id: String
    /// The severity of its findings, unless a finding overrides it.
    package let severity: Severity
    /// The cause in a few words.
    package let title: String
    /// How to fix it, as an instruction.
    package let fix: String
    /// Apple's code for the cause, where one is known.
    package let appleCode: String?
    /// What a tester sees after tapping Install; nil for a rule that does not block.
    package let phone: PhoneAnswer?
    /// The possible causes of its findings.
    package let causes: [Cause]
    /// Whether the result can change with the date alone.
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

    /// A finding of this rule; `message` names the values, and `place` is a path in the archive or words
    /// for a part of it.
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

    /// A finding about something that devices refuse from one version of iOS on.
    ///
    /// It blocks every device when the app requires that version anyway, else it warns until the device
    /// is known.
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

    /// A finding about something that Apple does not document: it warns, and its message says so.
    func inference(_ message: String, at place: some Place) -> Finding {
        finding(
            message + " Unverified: Apple does not document this.",
            at: place,
            severity: .warns,
        )
    }
}

extension Rule {
    /// Every rule, grouped by family.
    package static let all: [Rule] =
        zip + bundle + info + profile + identifier + certificate + signature + seal + code
        + entitlement + device + nested + clip + plugin + watch + icon + lint + history

    /// - Returns: nil for an unknown identifier.
    package static func named(_ id: String) -> Rule? { byIdentifier[id] }

    private static let byIdentifier = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
}
