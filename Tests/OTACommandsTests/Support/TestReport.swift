import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// A JUnit file, parsed strictly, as a CI system does.
final class TestReport: NSObject, XMLParserDelegate {
    struct Case {
        let classname: String
        let name: String
        var failure: String?
        var text = ""
    }

    private(set) var cases: [Case] = []
    /// The counts that `testsuites` claims.
    private(set) var counts: [String: String] = [:]
    private(set) var isWellFormed = false

    init(_ text: String) {
        super.init()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = self
        isWellFormed = parser.parse()
    }

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String],
    ) {
        switch name {
        case "testsuites": counts = attributes
        case "testcase":
            cases.append(
                Case(classname: attributes["classname"] ?? "", name: attributes["name"] ?? "")
            )
        case "failure": cases[cases.count - 1].failure = attributes["message"]
        default: break
        }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        guard !cases.isEmpty else { return }
        cases[cases.count - 1].text += text
    }
}
