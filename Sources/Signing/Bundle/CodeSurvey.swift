import Bytes
import Cryptography
import MachOFormat
import Synchronization
import Zip

/// The results of one pass over an archive: digests of the app's files and headers of its code.
final class CodeSurvey: Sendable {
    private struct State {
        var files: [RelativePath: CodeResources.Sealed] = [:]
        var programs: [RelativePath: MachOFile] = [:]
        /// Errors in bundle executables with a Mach-O magic.
        var faults: [RelativePath: ProgramFault] = [:]
        /// Total size of the old signatures that are kept, in bytes.
        var signatures = 0
        /// Files whose SHA-1 was taken from the former seal.
        var taken: Set<RelativePath> = []
        /// Files whose SHA-1 has not been computed yet.
        var lacking: Set<RelativePath> = []
        /// Whether the former seal has a wrong SHA-1 for some file.
        var isFormerWrong = false
    }

    private let application: RelativePath
    /// The executables of bundles, which will be signed and whose present digests are not needed.
    private let declared: Set<RelativePath>
    private let former: FormerSeal
    private let signatureLimit: Int
    private let state = Mutex(State())

    /// The size in bytes from which a file's SHA-1 is taken from the former seal.
    ///
    /// Such files are few but make up most of the bytes; the SHA-1 of all others is computed and shows
    /// whether the seal is correct.
    private static let takenSize = 1 << 20

    /// - Parameters:
    ///   - application: the app's folder.
    ///   - declared: the executables of bundles.
    ///   - former: the seal of the app's previous signature.
    ///   - signatureLimit: maximum total size of all old signatures in bytes.
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

    /// Rejects files that no build from Xcode contains, whose modes would otherwise be signed and
    /// installed.
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

    /// The sink for an entry while the archive is verified; nil for one outside the app.
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

    /// Files that must be read again with ``secondSink(for:)``: the former seal does not have their
    /// SHA-256, or it was wrong about another file.
    var lacking: Set<RelativePath> {
        state.withLock { $0.isFormerWrong ? $0.lacking.union($0.taken) : $0.lacking }
    }

    /// The sink for an entry of ``lacking``.
    func secondSink(for entry: ZipEntry) -> (any EntrySink)? {
        CodeSurveySink(entry, isDeclared: false, takesFormer: false, in: self)
    }

    /// Records the digests of a file whose SHA-1 was also computed.
    func note(sha1: [UInt8], sha256: [UInt8], of path: RelativePath) {
        state.withLock { state in
            state.files[path] = .file(sha1: sha1, sha256: sha256)
            guard let named = former.sha1(of: path, with: sha256) else { return }
            if named != sha1 { state.isFormerWrong = true }
        }
    }

    /// Records a file whose SHA-1 can only come from the former seal.
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

    /// Checks that all code could be read.
    ///
    /// - Throws: ``ProgramFault`` of the first unreadable file by path.
    func requireReadable() throws(SigningRefusal) {
        let faults = state.withLock { $0.faults }
        guard let first = faults.min(by: { $0.key < $1.key }) else { return }
        throw .program(first.value, at: first.key)
    }

    /// By path in the archive, without the executables of bundles.
    var files: [RelativePath: CodeResources.Sealed] { state.withLock { $0.files } }

    /// All programs and libraries, including those without a bundle, by path in the archive.
    var programs: [RelativePath: MachOFile] { state.withLock { $0.programs } }
}

/// Receives the bytes of one file once, computes its digests and, after a Mach-O magic, reads its
/// headers.
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
            // The archive would have been rejected if a link target were longer than a path may be.
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
            // Other files may begin with the magic by chance.
            if isDeclared { survey.note(ProgramFault.malformed(error), at: entry.path) }
        }
    }

    /// Whether a file begins with a Mach-O or universal magic, in the byte order of ARM.
    private static func isCode(_ window: UnsafeRawBufferPointer) -> Bool {
        guard window.count >= 4 else { return false }
        return switch unsafe window.loadUnaligned(as: UInt32.self).littleEndian {
        case 0xfeed_face, 0xfeed_facf, 0xbeba_feca, 0xbfba_feca: true
        default: false
        }
    }
}

extension MachOFile {
    /// Whether the file can be loaded: not an object file, symbols, or a Java class, which has the magic
    /// of universal files.
    fileprivate var isLoadable: Bool {
        slices.contains { slice in
            switch slice.header.fileType {
            case .executable, .dynamicLibrary, .bundle, .dynamicLinker: true
            default: false
            }
        }
    }
}
