package import Bytes
package import Problems

/// Why a property list was refused.
package struct MalformedPropertyList: ReportableError, Equatable {
    package enum Reason: Equatable, Sendable {
        /// Neither the binary nor the XML form; also for old-style text and JSON.
        case notAPropertyList
        /// More bytes than the limit.
        case tooLarge(limit: Int)
        /// More nested containers than the limit.
        case tooDeep(limit: Int)
        /// More keys and values than the limit; shared ones are counted on every visit.
        case tooManyObjects(limit: Int)
        /// More bytes of text and data than the limit; shared ones are counted on every visit.
        case tooMuchContent(limit: Int)
        /// A container that contains itself.
        case cycle
        /// A dictionary has a key twice, which is ambiguous.
        case duplicateKey(String)
        /// The binary form is malformed.
        case malformed(MalformedBytes)
        /// The XML form is malformed; line and column count from 1.
        case xml(line: Int, column: Int, what: String)
    }

    package let reason: Reason

    package init(_ reason: Reason) {
        self.reason = reason
    }

    package var description: String {
        switch reason {
        case .notAPropertyList:
            "the property list is neither XML nor binary"
        case .tooLarge(let limit):
            "the property list is larger than \(limit.grouped) bytes"
        case .tooDeep(let limit):
            "the property list nests deeper than \(limit.grouped) containers"
        case .tooManyObjects(let limit):
            "the property list holds more than \(limit.grouped) objects"
        case .tooMuchContent(let limit):
            "the property list holds more than \(limit.grouped) bytes of text and data"
        case .cycle:
            "the property list contains itself"
        case .duplicateKey(let key):
            "the property list has the key \(Quoted(key)) twice in one dictionary"
        case .malformed(let error):
            "the property list is malformed: \(error)"
        case .xml(let line, let column, let what):
            "the property list \(what) at line \(line), column \(column)"
        }
    }
}

extension MalformedPropertyList {
    package var id: String { "property-list.malformed" }
    package var kind: Problem.Kind { .invalid }
    package var fix: String { "check the file with plutil -lint" }
}

/// Untrusted text for one line of a message: short, and without control characters.
struct Quoted: CustomStringConvertible {
    private static let longest = 64

    let description: String

    init(_ text: some StringProtocol) {
        let scalars = text.unicodeScalars.prefix(Self.longest + 1)
        var shown = scalars.prefix(Self.longest).map { $0.escaped(asASCII: true) }.joined()
        if scalars.count > Self.longest { shown += "…" }
        description = "“\(shown)”"
    }
}
