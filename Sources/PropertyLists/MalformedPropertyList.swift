package import Bytes
package import Problems

/// A property list that was refused.
package struct MalformedPropertyList: ReportableError, Equatable {
    package enum Reason: Equatable, Sendable {
        /// Neither the binary nor the XML form; old-style text and JSON are among these.
        case notAPropertyList
        /// More bytes than the limit.
        case tooLarge(limit: Int)
        /// More nested containers than the limit.
        case tooDeep(limit: Int)
        /// More keys and values than the limit, shared ones counted at each visit.
        case tooManyObjects(limit: Int)
        /// More bytes of text and data than the limit, shared ones counted at each visit.
        case tooMuchContent(limit: Int)
        /// A container that contains itself.
        case cycle
        /// A dictionary that would have two meanings.
        case duplicateKey(String)
        /// The binary form is not as it should be.
        case malformed(MalformedBytes)
        /// The XML form is not as it should be; line and column count from one.
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

/// A stranger's text made fit for one line of a message: short, and without control characters.
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
