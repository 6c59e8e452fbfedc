import Bundles
import Bytes
import CodeSignature
import Identifiers

/// A problem with one file, before problems of one kind are merged into findings.
struct Complaint {
    enum Certainty: Equatable {
        case certain
        /// Apple does not document that devices refuse it.
        case inferred
        /// Devices refuse it from this version of iOS on; `minimum` is the app's minimum version.
        case from(OSVersion, minimum: OSVersion?)
        /// Devices accept it, but it is worth knowing.
        case harmless
    }

    let rule: Rule
    /// A sentence without its full stop.
    let message: String
    /// The path in the archive.
    let place: RelativePath
    var certainty = Certainty.certain

    init(
        _ rule: Rule,
        _ message: String,
        at place: RelativePath,
        _ certainty: Certainty = .certain,
    ) {
        self.rule = rule
        self.message = message
        self.place = place
        self.certainty = certainty
    }

    var finding: Finding {
        switch certainty {
        case .certain: rule.finding(message + ".", at: place)
        case .inferred: rule.inference(message + ".", at: place)
        case .from(let version, let minimum):
            rule.finding(message + ".", at: place, from: version, minimum: minimum)
        case .harmless: rule.finding(message + ".", at: place, severity: .notes)
        }
    }

    fileprivate func adding(_ text: String) -> Complaint {
        Complaint(rule, message + text, at: place, certainty)
    }

    fileprivate var key: [String] { [rule.id, message, "\(certainty)"] }
}

extension [Complaint] {
    /// At most this many findings of one rule are listed; the others are counted.
    private static let greatestListed = 5

    /// Merges equal sentences about several files into one finding.
    ///
    /// When a rule has too many, the last one listed counts the rest.
    var findings: [Finding] {
        var order: [[String]] = []
        var alike: [[String]: [Complaint]] = [:]
        for complaint in self {
            if alike[complaint.key] == nil { order.append(complaint.key) }
            alike[complaint.key, default: []].append(complaint)
        }
        let reported = order.compactMap { key -> Complaint? in
            guard let all = alike[key], let first = all.first, all.count > 1 else {
                return alike[key]?.first
            }
            return first.adding("; the same holds for \(quoted: all.dropFirst().map(\.place))")
        }
        let counts = Dictionary(grouping: reported, by: \.rule.id).mapValues(\.count)
        var listed: [String: Int] = [:]
        return reported.compactMap { complaint in
            let number = listed[complaint.rule.id, default: 0] + 1
            listed[complaint.rule.id] = number
            let rest = counts[complaint.rule.id, default: 0] - Self.greatestListed
            guard number <= Self.greatestListed else { return nil }
            guard number == Self.greatestListed, rest > 0 else { return complaint.finding }
            return complaint.adding("; \(rest.grouped) more like it are not listed").finding
        }
    }

    /// Merges what was found in each slice of a file; each complaint names the slices that it applies to.
    init(_ slices: [SliceEvidence], _ complaints: (SliceEvidence) -> [Complaint]) {
        var order: [String] = []
        var found: [String: (complaint: Complaint, slices: [String])] = [:]
        for slice in slices {
            for complaint in complaints(slice) {
                let key = "\(complaint.rule.id) \(complaint.place)"
                if found[key] == nil { order.append(key) }
                found[key, default: (complaint, [])].slices.append("\(slice.processor)")
            }
        }
        self = order.compactMap { found[$0] }.map { complaint, names in
            guard slices.count > 1 else { return complaint }
            return complaint.adding(" (\(names.joined(separator: ", ")))")
        }
    }
}
