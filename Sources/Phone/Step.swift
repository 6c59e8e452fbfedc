/// A step of a phone towards an installed app, with its outcome.
package struct Step: Equatable, Sendable {
    package let name: StepName
    /// The host, file or device that it concerns; empty when the name suffices.
    package let subject: String
    /// The observations, one clause each.
    package let facts: [String]
    /// The problems, the worst first.
    package let faults: [Fault]
    package let outcome: Outcome

    package enum Outcome: String, Codable, Sendable {
        case passed, warned, failed, skipped
    }

    package init(_ name: StepName, about subject: String = "", _ notes: StepNotes) {
        self.name = name
        self.subject = subject
        facts = notes.facts
        faults = notes.faults.filter(\.isFatal) + notes.faults.filter { !$0.isFatal }
        outcome =
            switch faults.first?.isFatal {
            case true?: .failed
            case false?: .warned
            case nil: .passed
            }
    }

    /// A skipped step.
    package init(skipping name: StepName, because reason: String) {
        self.name = name
        subject = ""
        facts = [reason]
        faults = []
        outcome = .skipped
    }
}

extension Step {
    /// The title with the subject, such as `Trust the server: ota.example.com`.
    package var title: String {
        subject.isEmpty ? name.title : "\(name.title): \(subject)"
    }

    /// The faults if there are any, else the observations.
    package var detail: String {
        (faults.isEmpty ? facts : faults.map(\.message)).joined(separator: "; ")
    }

    /// What a real phone would have shown; nil when it shows nothing unusual.
    package var shown: String? { faults.lazy.compactMap(\.shown).first }

    /// How to fix all faults; nil when there are none.
    package var fix: String? {
        var fixes: [String] = []
        for fault in faults where !fixes.contains(fault.fix) { fixes.append(fault.fix) }
        return fixes.isEmpty ? nil : fixes.joined(separator: " ")
    }
}

extension Step: Encodable {
    private enum Key: String, CodingKey {
        case id, title, outcome, detail, shown, fix, facts, faults
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name.rawValue, forKey: .id)
        try container.encode(title, forKey: .title)
        try container.encode(outcome, forKey: .outcome)
        try container.encode(detail, forKey: .detail)
        try container.encode(shown, forKey: .shown)
        try container.encode(fix, forKey: .fix)
        try container.encode(facts, forKey: .facts)
        try container.encode(faults, forKey: .faults)
    }
}

/// The observations and faults of a step in progress.
package struct StepNotes: Equatable, Sendable {
    package var facts: [String] = []
    package var faults: [Fault] = []

    package init(facts: [String] = [], faults: [Fault] = []) {
        self.facts = facts
        self.faults = faults
    }

    package var hasFailed: Bool { faults.contains(where: \.isFatal) }
}
