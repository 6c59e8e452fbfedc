import Foundation
import Versions

/// `project`: reading a `project.yml` with its files takes bounded work, and always gives the same result.
///
/// The input is the project, a zero byte, and the settings file `a.xcconfig`.
struct Projects: PlainInputKind {
    static let name = "project"

    private let folder: String

    init() {
        folder = NSTemporaryDirectory() + "ota-fuzz-\(getpid())"
        unsafe mkdir(folder, 0o700)
    }

    static func seeds(by authority: SeedAuthority) -> [String: [UInt8]] {
        let cases = [
            """
            name: Pare
            options: {bundleIdPrefix: org.example}
            configFiles: {Debug: a.xcconfig, Release: a.xcconfig}
            targets:
              Pare: {type: application, settings: {base: {A: $(B)}, configs: {Debug: {B: 1}}}}
            \0MARKETING_VERSION = 1.2\nCURRENT_PROJECT_VERSION = $(N:default=3)
            """,
            """
            settingGroups: {g: {groups: [h], base: {A: 1}}, h: {PRODUCT_NAME: x}}
            targetTemplates: {T: {type: application, settings: {groups: [g]}}}
            targets: {A: {templates: [T], templateAttributes: {a: "${b}"}, info: {properties: {}}}}
            """,
            "include: [{path: a.xcconfig, relativePaths: NO}]\nx: &x {<<: {a: 1.10}}\ny: *x",
            "configs: {Debug: debug, Beta Debug: release}\n\"targets:REPLACE\": {A: ~}",
        ]
        return Dictionary(
            uniqueKeysWithValues: cases.enumerated().map { ("\($0)", Array($1.utf8)) }
        )
    }

    func check(_ input: [UInt8]) {
        let parts = input.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        put(parts[0], to: "project.yml")
        put(parts.count > 1 ? parts[1] : [], to: "a.xcconfig")
        let first = rows
        promise(first == rows, "a project says something else the second time")
        for row in first ?? [] {
            for value in [row.bundleIdentifier, row.marketingVersion, row.buildNumber] {
                promise((value?.text.utf8.count ?? 0) <= 32 << 10, "a setting grows without bound")
            }
        }
    }

    private var rows: [XcodeProject.Target]? {
        accepted { () throws(SettingsFlaw) in
            try XcodeProject("project.yml", in: SourceTree(root: folder)).targets
        }
    }

    /// Without Data, whose leaks are not faults of this program.
    private func put(_ bytes: ArraySlice<UInt8>, to name: String) {
        let descriptor = unsafe open("\(folder)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { stop("cannot write to \(folder)") }
        defer { close(descriptor) }
        let written = unsafe bytes.withUnsafeBytes {
            unsafe write(descriptor, $0.baseAddress, $0.count)
        }
        guard written == bytes.count else { stop("cannot write to \(folder)") }
    }
}
