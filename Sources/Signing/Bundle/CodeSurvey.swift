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
        /// What is wrong with executables of bundles that begin like code.
        var faults: [RelativePath: ProgramFault] = [:]
        /// Bytes of old signatures that are kept.
        var signatures = 0
        /// Files whose SHA-1 is the one of the former seal.
        var taken: Set<RelativePath> = []
        /// Files whose SHA-1 has still to be made.
        var lacking: Set<RelativePath> = []
        /// Whether the former seal names another SHA-1 than a file has.
        var isFormerWrong = false
    }

    private let application: RelativePath
    /// Executables of bundles, which are signed again and need no digest of what they were.
    private let declared: Set<RelativePath>
    private let former: FormerSeal
    private let signatureLimit: Int
    private let state = Mutex(State())

    /// Bytes from which on a file's SHA-1 is taken of the former seal: most of what there is to digest, and
    /// few of the files, so that the others tell whether that seal is right.
    private static let takenSize = 1 << 20

    /// - Parameters:
    ///   - application: the app's folder.
    ///   - declared: executables of bundles.
    ///   - former: the seal of the app's last signature.
    ///   - signatureLimit: bytes of the old signatures of all programs together.
    init(
        of application: RelativePath,
        declared: Set<RelativePath>,
        former: FormerSeal,
        signatureLimit: Int,
    ) {
        self.application = application
        self.declared = declared
        self.former = former
        self.signatureLimit = signatureLimit
    }

    /// Looks for files that no build of Xcode has: their modes would be signed and installed with the rest.
    ///
    /// - Throws: ``BundleFault/specialFile(name:)``.
    static func requirePlainFiles(
        in archive: ZipArchive,
        below application: RelativePath,
    ) throws(SigningRefusal) {
        for entry in archive.entries where entry.path.isBelow(application) {
            let mode = entry.unixMode ?? 0
            let isPlain = [0, 0o040000, 0o100000, 0o120000].contains(mode & 0o170000)
            guard isPlain, mode & 0o6000 == 0 else {
                let name = entry.path.relative(to: application) ?? entry.path
                throw .bundle(.specialFile(name: name.text), at: application)
            }
        }
    }

    /// What an entry has to feed while the archive is verified; nil for what is beside the app.
    func sink(for entry: ZipEntry) -> (any EntrySink)? {
        guard entry.kind != .directory, entry.path.isBelow(application) else { return nil }
        let takesFormer = entry.size >= Self.takenSize && former.hasBoth(of: entry.path)
        return CodeSurveySink(
            entry,
            isDeclared: declared.contains(entry.path),
            takesFormer: takesFormer,
            in: self,
        )
    }

    /// Files that have to be read once more, with ``secondSink(for:)``: the former seal does not know them
    /// as they are, or is wrong about another.
    var lacking: Set<RelativePath> {
        state.withLock { $0.isFormerWrong ? $0.lacking.union($0.taken) : $0.lacking }
    }

    /// What an entry of ``lacking`` has to feed.
    func secondSink(for entry: ZipEntry) -> (any EntrySink)? {
        CodeSurveySink(entry, isDeclared: false, takesFormer: false, in: self)
    }

    /// Notes the digests of a file of which SHA-1 was made, too.
    func note(sha1: [UInt8], sha256: [UInt8], of path: RelativePath) {
        state.withLock { state in
            state.files[path] = .file(sha1: sha1, sha256: sha256)
            guard let named = former.sha1(of: path, with: sha256) else { return }
            if named != sha1 { state.isFormerWrong = true }
        }
    }

    /// Notes a file whose SHA-1 only the former seal knows.
    func note(sha256: [UInt8], of path: RelativePath) {
        state.withLock { state in
            if let sha1 = former.sha1(of: path, with: sha256) {
                state.files[path] = .file(sha1: sha1, sha256: sha256)
                state.taken.insert(path)
            } else {
                state.lacking.insert(path)
            }
        }
    }

    func note(_ sealed: CodeResources.Sealed, at path: RelativePath) {
        state.withLock { $0.files[path] = sealed }
    }

    func note(_ program: MachOFile, at path: RelativePath) {
        let program = program.withTrimmedSignatures
        state.withLock { state in
            state.signatures += program.signatureSize
            guard state.signatures <= signatureLimit else {
                state.faults[path] = .signaturesTooLarge(limit: signatureLimit)
                state.programs[path] = nil
                return
            }
            state.programs[path] = program
        }
    }

    func note(_ fault: ProgramFault, at path: RelativePath) {
        state.withLock { $0.faults[path] = fault }
    }

    /// Looks whether all code could be read.
    ///
    /// - Throws: ``ProgramFault`` of the first file by path that could not.
    func requireReadable() throws(SigningRefusal) {
        let faults = state.withLock { $0.faults }
        guard let first = faults.min(by: { $0.key < $1.key }) else { return }
        throw .program(first.value, at: first.key)
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

    init(_ entry: ZipEntry, isDeclared: Bool, takesFormer: Bool, in survey: CodeSurvey) {
        self.entry = entry
        self.isDeclared = isDeclared
        self.survey = survey
        let isDigested = entry.kind == .file && !isDeclared
        sha1 = isDigested && !takesFormer ? DigestHasher(.sha1) : nil
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
        if let sha256 = sha256?.finish() {
            if let sha1 = sha1?.finish() {
                survey.note(sha1: sha1, sha256: sha256, of: entry.path)
            } else {
                survey.note(sha256: sha256, of: entry.path)
            }
        }
        guard let scanner = scanner.take() else { return }
        if scanner.hasOversizedSignatures {
            let limit = MachOLimits.signatureBytes
            return survey.note(ProgramFault.signaturesTooLarge(limit: limit), at: entry.path)
        }
        do throws(MalformedBytes) {
            let program = try scanner.finish()
            if isDeclared || program.isLoadable { survey.note(program, at: entry.path) }
        } catch {
            // Other files may begin like code and be none.
            if isDeclared { survey.note(ProgramFault.malformed(error), at: entry.path) }
        }
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
