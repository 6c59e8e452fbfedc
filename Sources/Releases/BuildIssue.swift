/// An error or a failed test in a build's log, from a compiler, a linker, a test or `codesign`.
///
/// The log is untrusted text: file and message are made printable, and contain no UDID.
package struct BuildIssue: Codable, Sendable, Hashable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case compile, link, test, signing
        /// An error of the build system itself.
        case build

        /// The name for people.
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
    /// The path that the tool reported; relative to the checkout if that is known.
    package let file: String?
    package let line: Int?
    /// One line of at most ``messageLimit`` characters.
    package let message: String

    /// The most issues that are stored per build.
    package static let mostOfBuild = 20
    package static let messageLimit = 400

    package init(_ kind: Kind, file: String? = nil, line: Int? = nil, message: String) {
        self.kind = kind
        self.file = file
        self.line = line
        self.message = message
    }

    /// The file and line: `Sources/App.swift:12`; nil without a file.
    package var place: String? {
        file.map { file in file + (line.map { ":\($0)" } ?? "") }
    }

    /// The issue with its place: `Sources/App.swift:12: cannot find 'x' in scope`.
    package var sentence: String { (place.map { $0 + ": " } ?? "") + message }
}
