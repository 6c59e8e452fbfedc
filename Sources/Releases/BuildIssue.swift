/// What a build's log says went wrong at one place, as a compiler, linker, test or `codesign` said it.
///
/// The log is text of a stranger: file and message are fit to be shown, and no UDID stands in them.
package struct BuildIssue: Codable, Sendable, Hashable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case compile, link, test, signing
        /// Said by the build system itself.
        case build

        /// What it is called for people.
        package var title: String {
            switch self {
            case .compile: "compiler error"
            case .link: "linker error"
            case .test: "failed test"
            case .signing: "signing error"
            case .build: "build error"
            }
        }
    }

    package let kind: Kind
    /// As the tool said it; below the checkout where that is known.
    package let file: String?
    package let line: Int?
    /// One line of at most ``messageLimit`` characters.
    package let message: String

    /// Issues that are kept of one build.
    package static let mostOfBuild = 20
    package static let messageLimit = 400

    package init(_ kind: Kind, file: String? = nil, line: Int? = nil, message: String) {
        self.kind = kind
        self.file = file
        self.line = line
        self.message = message
    }

    /// `Sources/App.swift:12`; nil without a file.
    package var place: String? {
        file.map { file in file + (line.map { ":\($0)" } ?? "") }
    }

    /// `Sources/App.swift:12: cannot find 'x' in scope`.
    package var sentence: String { (place.map { $0 + ": " } ?? "") + message }
}
