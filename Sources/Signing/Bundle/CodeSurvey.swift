import Bytes
import Cryptography
import MachOFormat
import Synchronization
import Zip

/// What one pass over an archive found: digests of the files of an app, and headers of its code.
final class CodeSurvey: Sendable {
    private struct State {
        var files: [RelativePath: CodeResources.Sealed] = [:]
        var programs: [RelativePath: MachOFile] = [:]
    }

    private let application: RelativePath
    /// Executables of bundles, which are signed again and need no digest of what they were.
    private let declared: Set<RelativePath>
    private let state = Mutex(State())

    init(of application: RelativePath, declared: Set<RelativePath>) {
        self.application = application
        self.declared = declared
    }

    /// What an entry has to feed while the archive is verified; nil for what lies beside the app.
    func sink(for entry: ZipEntry) -> (any EntrySink)? {
        guard entry.kind != .directory, entry.path.isBelow(application) else { return nil }
        return CodeSurveySink(entry, isDeclared: declared.contains(entry.path), in: self)
    }

    func note(_ sealed: CodeResources.Sealed, at path: RelativePath) {
        state.withLock { $0.files[path] = sealed }
    }

    func note(_ program: MachOFile, at path: RelativePath) {
        state.withLock { $0.programs[path] = program }
    }

    /// By path in the archive, without executables of bundles.
    var files: [RelativePath: CodeResources.Sealed] { state.withLock { $0.files } }

    /// Programs and libraries, also those that are no bundle's; by path in the archive.
    var programs: [RelativePath: MachOFile] { state.withLock { $0.programs } }
}

/// Takes the bytes of one file, once, for its digests and, where it begins like code, its headers.
private struct CodeSurveySink: EntrySink {
    private let entry: ZipEntry
    private let isDeclared: Bool
    private let survey: CodeSurvey
    private let sha1: DigestHasher?
    private let sha256: DigestHasher?
    private var scanner: MachOScanner?
    private var hasBegun = false
    private var target: [UInt8] = []

    init(_ entry: ZipEntry, isDeclared: Bool, in survey: CodeSurvey) {
        self.entry = entry
        self.isDeclared = isDeclared
        self.survey = survey
        let isDigested = entry.kind == .file && !isDeclared
        sha1 = isDigested ? DigestHasher(.sha1) : nil
        sha256 = isDigested ? DigestHasher(.sha256) : nil
    }

    mutating func take(_ window: UnsafeRawBufferPointer) {
        guard entry.kind == .file else {
            // The archive was refused if a link is longer than a path may be.
            unsafe target.append(contentsOf: window)
            return
        }
        if !hasBegun {
            hasBegun = true
            if unsafe Self.isCode(window) { scanner = MachOScanner(fileSize: entry.size) }
        }
        if let sha1 { unsafe sha1.update(window) }
        if let sha256 { unsafe sha256.update(window) }
        unsafe scanner?.take(window)
    }

    mutating func finish() {
        guard entry.kind == .file else {
            survey.note(.symbolicLink(target: RelativePath(target)), at: entry.path)
            return
        }
        if let sha1, let sha256 {
            survey.note(.file(sha1: sha1.finish(), sha256: sha256.finish()), at: entry.path)
        }
        guard let scanner = scanner.take(), let program = try? scanner.finish(),
            isDeclared || program.isLoadable
        else { return }
        survey.note(program, at: entry.path)
    }

    /// Whether a file begins as a slice or a universal file does, in the byte order of ARM.
    private static func isCode(_ window: UnsafeRawBufferPointer) -> Bool {
        guard window.count >= 4 else { return false }
        return switch unsafe window.loadUnaligned(as: UInt32.self).littleEndian {
        case 0xfeed_face, 0xfeed_facf, 0xbeba_feca, 0xbfba_feca: true
        default: false
        }
    }
}

extension MachOFile {
    /// Whether something might load the file: not object files and symbols, nor class files of Java,
    /// which have the magic of universal files.
    fileprivate var isLoadable: Bool {
        slices.contains { slice in
            switch slice.header.fileType {
            case .executable, .dynamicLibrary, .bundle, .dynamicLinker: true
            default: false
            }
        }
    }
}
