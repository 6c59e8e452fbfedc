import Bundles
import Bytes
import CodeSignature
import MachOFormat
import Zip

/// The libraries that the app's code links and that the app must contain.
///
/// When dyld does not find one, the app crashes at launch. Only paths inside the app are checked; the
/// libraries of the system are not known here.
struct LinkedLibraries {
    private let archive: ZipArchive
    private let code: [SignedCode]
    /// Symbolic links, whose targets are not resolved, and frameworks without an executable, which
    /// another rule reports.
    private let unknown: Set<RelativePath>
    /// By the bundle's path.
    private let executables: [RelativePath: ExecutableEvidence]
    /// By the path of the program's bundle: the folders to which the run paths of all code that it loads
    /// lead.
    private let folders: [RelativePath: [RelativePath]]

    /// Most run paths of one program; real programs have up to ten.
    private static let greatestFolderCount = 32
    /// Most paths that are looked up in one app; further ones are not checked.
    private static let greatestLookups = 50_000
    /// Maximum length of a path in bytes: `PATH_MAX`.
    private static let greatestLength = 1024
    /// Most slashes in a path; real paths have up to ten.
    private static let greatestDepth = 64

    init(_ input: InspectionInput, _ code: [SignedCode]) {
        archive = input.archive
        self.code = code
        let hollow = input.application.everyBundle
            .filter { $0.kind == .framework && $0.executable == nil }.map(\.path)
        let links = input.archive.entries.filter { $0.kind == .symbolicLink }.map(\.path)
        unknown = Set(hollow + links)
        executables = Dictionary(code.map { ($0.bundle.path, $0.executable) }) { first, _ in first }
        var folders: [RelativePath: [RelativePath]] = [:]
        for code in code {
            var known = folders[code.host.path, default: []]
            for path in code.slices.flatMap(\.runPaths).prefix(256)
            where known.count < Self.greatestFolderCount {
                guard let folder = Self.expanded(RelativePath(path), of: code),
                    !known.contains(folder)
                else {
                    continue
                }
                known.append(folder)
            }
            folders[code.host.path] = known
        }
        self.folders = folders
    }

    var complaints: [Complaint] {
        var lookups = 0
        return code.flatMap { code in
            [Complaint](code.slices) { slice in
                let missing = slice.libraries.filter { library in
                    guard library.binding.isNeeded, lookups < Self.greatestLookups,
                        let places = places(of: RelativePath(library.path), for: code)
                    else { return false }
                    lookups += 1
                    return !places.contains { isThere($0, &lookups) }
                }
                return missing.prefix(1).map { library in
                    let more = missing.count > 1 ? " and \(missing.count - 1) more" : ""
                    return Complaint(
                        .libraryMissing,
                        "The code needs the library \(quoted: library.path)\(more), which is not "
                            + "in the app: the app installs but does not open",
                        at: code.path,
                    )
                }
            } + missingSlices(of: code)
        }
    }

    /// Reports architectures that the program has and its library lacks.
    private func missingSlices(of code: SignedCode) -> [Complaint] {
        guard !code.bundle.kind.hasOwnProfile, !code.executable.slices.isEmpty,
            let program = executables[code.host.path]
        else { return [] }
        let own = code.executable.slices.map(\.processor)
        let missing = program.slices.map(\.processor).filter {
            !own.contains($0) && $0.runsOnDevices
        }
        // Another rule reports a library without any slice for today's devices.
        guard !missing.isEmpty, own.contains(where: \.runsOnDevices) else { return [] }
        let names = missing.map { "\($0)" }.joined(separator: ", ")
        return [
            Complaint(
                .libraryUnusable,
                "The library has no slice for \(names), but the app that contains it has one",
                at: code.path,
                .inferred,
            )
        ]
    }

    /// The paths where dyld looks for the library; nil when the app alone does not determine them.
    private func places(of path: RelativePath, for code: SignedCode) -> [RelativePath]? {
        guard Self.isShort(path) else { return nil }
        // Swift's libraries are part of iOS; an app contains them only for versions before.
        guard let (start, rest) = path.split(first: 1), !rest.isEmpty, !rest.hasPrefix("libswift")
        else { return nil }
        guard start == ["@rpath"] else { return Self.expanded(path, of: code).map { [$0] } }
        return (folders[code.host.path] ?? []).map { $0 / rest }.filter(Self.isShort)
    }

    /// Expands a path of dyld to a path in the archive; nil for one outside the app.
    private static func expanded(_ path: RelativePath, of code: SignedCode) -> RelativePath? {
        guard isShort(path) else { return nil }
        let parts = path.components
        var place: [RelativePath]
        switch parts.first {
        case "@executable_path": place = code.host.path.components
        case "@loader_path": place = code.path.components.dropLast()
        default: return nil
        }
        for part in parts.dropFirst() {
            switch part {
            case ".": continue
            case "..": if place.popLast() == nil { return nil }
            default: place.append(part)
            }
        }
        let joined = place.joined()
        // At least `Payload` and the app's folder.
        return place.count >= 2 && isShort(joined) ? joined : nil
    }

    /// Whether the path is short enough to look up: a load command may hold up to 1 MiB.
    private static func isShort(_ path: RelativePath) -> Bool {
        path.bytes.count <= greatestLength
            && path.bytes.count { $0 == UInt8(ascii: "/") } <= greatestDepth
    }

    /// Whether the file exists, or a link or a framework without an executable is on the way to it.
    private func isThere(_ path: RelativePath, _ lookups: inout Int) -> Bool {
        lookups += 1
        if let entry = archive[path], entry.kind != .directory { return true }
        guard !unknown.isEmpty else { return false }
        let folders = path.folders
        lookups += folders.count
        return folders.contains(where: unknown.contains)
    }
}

extension LinkedLibrary.Binding {
    fileprivate var isNeeded: Bool {
        switch self {
        case .required, .reexported, .upward: true
        case .weak, .lazy, .own: false
        }
    }
}

extension Processor {
    fileprivate var runsOnDevices: Bool {
        switch self {
        case .arm64, .arm64e, .arm64eX1, .arm64_32, .armv7k: true
        default: false
        }
    }
}
