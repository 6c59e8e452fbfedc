import Bundles
import Bytes
import CodeSignature
import MachOFormat
import Zip

/// The libraries that the app's code needs and that must come with it.
///
/// What dyld does not find ends the app as it opens. Only paths below the app are looked for; what
/// the system has is not known here.
struct LinkedLibraries {
    private let archive: ZipArchive
    private let code: [SignedCode]
    /// Links, which may lead anywhere, and frameworks without an executable, which another rule
    /// reports.
    private let unknown: Set<RelativePath>
    /// By path of the bundle.
    private let executables: [RelativePath: ExecutableEvidence]
    /// By path of the bundle that is started: where the run paths of all that it loads lead to.
    private let folders: [RelativePath: [RelativePath]]

    /// Run paths for one program; real ones have up to ten.
    private static let greatestFolderCount = 32
    /// Paths that are looked for in an app; what is beyond is not judged.
    private static let greatestLookups = 50_000
    /// Bytes of one path: `PATH_MAX`.
    private static let greatestLength = 1024
    /// Slashes of one path; real ones have up to ten.
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

    /// Architectures of the program that a library in it lacks.
    private func missingSlices(of code: SignedCode) -> [Complaint] {
        guard !code.bundle.kind.hasOwnProfile, !code.executable.slices.isEmpty,
            let program = executables[code.host.path]
        else { return [] }
        let own = code.executable.slices.map(\.processor)
        let missing = program.slices.map(\.processor).filter {
            !own.contains($0) && $0.runsOnDevices
        }
        // That there is nothing for today's devices is said already.
        guard !missing.isEmpty, own.contains(where: \.runsOnDevices) else { return [] }
        let names = missing.map { "\($0)" }.joined(separator: ", ")
        return [
            Complaint(
                .libraryUnusable,
                "The library has no slice for \(names), for which the app around it has one",
                at: code.path,
                .inferred,
            )
        ]
    }

    /// Where dyld would look; nil when the app alone does not decide it.
    private func places(of path: RelativePath, for code: SignedCode) -> [RelativePath]? {
        guard Self.isShort(path) else { return nil }
        // Swift's libraries are part of iOS, and beside the app only for versions before.
        guard let (start, rest) = path.split(first: 1), !rest.isEmpty, !rest.hasPrefix("libswift")
        else { return nil }
        guard start == ["@rpath"] else { return Self.expanded(path, of: code).map { [$0] } }
        return (folders[code.host.path] ?? []).map { $0 / rest }.filter(Self.isShort)
    }

    /// A path of dyld as one in the archive; nil for one outside the app.
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
        // Payload and the app's folder.
        return place.count >= 2 && isShort(joined) ? joined : nil
    }

    /// Whether a path may be looked for at all: a load command holds up to a mebibyte.
    private static func isShort(_ path: RelativePath) -> Bool {
        path.bytes.count <= greatestLength
            && path.bytes.count { $0 == UInt8(ascii: "/") } <= greatestDepth
    }

    /// Whether there is a file, or a link or a hollow framework on the way to one.
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
