/// One step of a phone towards an installed app, and how it went.
package struct Step: Equatable, Sendable {
    package let name: StepName
    /// The host, file or device it was about; empty when the name says it all.
    package let subject: String
    /// What was seen, one clause each.
    package let facts: [String]
    /// What is wrong, the worst first.
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

    /// A step that was not taken.
    package init(skipping name: StepName, because reason: String) {
        self.name = name
        subject = ""
        facts = [reason]
        faults = []
        outcome = .skipped
    }
}

extension Step {
    /// `Trust the server: ota.example.com`.
    package var title: String {
        subject.isEmpty ? name.title : "\(name.title): \(subject)"
    }

    /// The faults where there are any, otherwise what was seen.
    package var detail: String {
        (faults.isEmpty ? facts : faults.map(\.message)).joined(separator: "; ")
    }

    /// What a real phone would have shown; nil where it shows nothing unusual.
    package var shown: String? { faults.lazy.compactMap(\.shown).first }

    /// How to fix every fault; nil where there is none.
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

/// What a step gathers while it is under way.
package struct StepNotes: Equatable, Sendable {
    package var facts: [String] = []
    package var faults: [Fault] = []

    package init(facts: [String] = [], faults: [Fault] = []) {
        self.facts = facts
        self.faults = faults
    }

    package var hasFailed: Bool { faults.contains(where: \.isFatal) }
}
