/// The links and forms on enrolment pages, parsed as leniently as browsers do.
struct EnrolmentMarkup {
    private let html: String

    init(html bytes: [UInt8]) {
        html = String(decoding: bytes, as: UTF8.self)
    }

    /// The address of the first link to a configuration profile; nil when there is none.
    var profileLink: String? {
        html.matches(of: /(?i)\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/).lazy
            .map { Self.decoded($0.output.1 ?? $0.output.2) }
            .first { $0.prefix { !["?", "#"].contains($0) }.hasSuffix(".mobileconfig") }
    }

    /// The action of the form with a field `code`; nil when there is none.
    var codeForm: String? {
        for form in html.matches(of: /(?i)<form\b([^>]*)>/) {
            let rest = html[form.range.upperBound...]
            let end = rest.firstRange(of: /(?i)<\/form/)?.lowerBound ?? rest.endIndex
            guard rest[..<end].contains(/(?i)\sname\s*=\s*["']?code\b/) else { continue }
            guard
                let action = form.output.1.firstMatch(
                    of: /(?i)\saction\s*=\s*(?:"([^"]*)"|'([^']*)')/
                )
            else { return "" }
            return Self.decoded(action.output.1 ?? action.output.2)
        }
        return nil
    }

    private static func decoded(_ value: Substring?) -> String {
        CharacterReferences.decoded((value ?? "").utf8)
    }
}
