import Bundles
import Bytes
import PropertyLists
import Zip

/// Finds code and addresses from development that a build for testers should not contain.
extension LintRules {
    /// "Enable Debug Dylib Support", "Diagnosing memory, thread, and crash issues early" (Xcode).
    static func developmentCode(in input: InspectionInput) -> [Finding] {
        guard input.audience == .testers else { return [] }
        let folder = input.application.path
        let found = input.archive.entries.lazy
            .filter { $0.kind == .file && $0.path.isBelow(folder) }
            .compactMap(developmentCode)
            .sorted { $0.place < $1.place }
        let others = found.count - placeLimit
        return found.prefix(placeLimit).enumerated().map { index, code in
            let more = index == placeLimit - 1 && others > 0 ? ", and \(others) more" : ""
            return Rule.developmentCode.finding(
                "The build contains \(code.purpose)\(more).",
                at: code.place,
            )
        }
    }

    /// The library or bundle that the file is part of, and its purpose.
    private static func developmentCode(
        _ entry: ZipEntry
    ) -> (place: RelativePath, purpose: String)? {
        let path = entry.path
        let name = entry.name
        guard path.hasSuffix(library) || name == infoPlist || testing.contains(name) else {
            return nil
        }
        if name.hasSuffix(".debug.dylib") {
            return (path, "the code of a debug build (ENABLE_DEBUG_DYLIB)")
        }
        if name == "__preview.dylib" { return (path, "the code of Xcode's previews") }
        if name.hasPrefix("libclang_rt."), name.hasSuffix(".dylib") {
            return (path, "a sanitizer library")
        }
        if diagnostics.contains(name) { return (path, "a diagnostics library of Xcode") }
        guard name == "Info.plist" || testing.contains(name) else { return nil }
        guard let parent = path.parent else { return nil }
        if parent.name == "\(name).framework" {
            return (parent, "a test framework of Xcode")
        }
        if name == "Info.plist", parent.hasSuffix(".xctest") {
            return (parent, "a test bundle")
        }
        return nil
    }

    // Every file of an app is asked, so these are not made for each.
    private static let library: RelativePath = ".dylib"
    private static let infoPlist: RelativePath = "Info.plist"
    private static let diagnostics: Set<RelativePath> = [
        "libMainThreadChecker.dylib", "libViewDebuggerSupport.dylib", "libBacktraceRecording.dylib",
        "libRPAC.dylib", "libgmalloc.dylib", "libXCTestBundleInject.dylib",
        "libXCTestSwiftSupport.dylib",
    ]
    private static let testing: Set<RelativePath> = [
        "XCTest", "XCTestCore", "XCTestSupport", "XCTAutomationSupport", "XCUIAutomation", "XCUnit",
        "Testing",
    ]

    /// Addresses such as `localhost`, which mean the developer's machine during development only.
    static func developmentAddresses(in input: InspectionInput) -> [Finding] {
        guard input.audience == .testers else { return [] }
        let application = input.application
        let entries = application.info.values.dictionary ?? [:]
        let found = entries.sorted { $0.key < $1.key }.compactMap { key, value -> Finding? in
            guard let text = value.string, let host = host(of: text), ownHosts.contains(host)
            else { return nil }
            return Rule.developmentAddress.finding(
                "\(PrintableText(escaping: key)) is \(quoted: text), but on a phone \(host) is "
                    + "the phone itself.",
                at: application.infoPlace,
            )
        }
        return Array(found.prefix(placeLimit))
    }

    private static let ownHosts: Set = ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"]

    /// The host in lower case; nil for text that does not begin with a scheme and a host.
    private static func host(of text: String) -> String? {
        guard text.utf8.count <= 1024, let colon = text.firstIndex(of: ":"),
            text[colon...].hasPrefix("://")
        else { return nil }
        let authority = text[colon...].dropFirst(3).prefix { !"/?#".contains($0) }
        let address = authority.split(separator: "@").last ?? ""
        if address.first == "[" { return address.prefix { $0 != "]" } + "]" }
        return address.prefix { $0 != ":" }.lowercased()
    }
}

extension Rule {
    static let development = [developmentCode, developmentAddress]

    fileprivate static let developmentCode = Rule(
        "lint.development-code",
        .warns,
        "The build contains development code",
        fix: "Archive with the Release configuration, without sanitizers and without test "
            + "frameworks in Embed Frameworks, and export again.",
    )
    fileprivate static let developmentAddress = Rule(
        "lint.development-address",
        .warns,
        "The build uses a server on the developer's machine",
        fix: "Set the address in the Release configuration's .xcconfig file and build again.",
    )
}
