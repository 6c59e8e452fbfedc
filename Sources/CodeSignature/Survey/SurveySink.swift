import Bytes
import Cryptography
import MachOFormat
import Zip

/// Receives the bytes of one file once, and computes everything that signatures need of it.
struct SurveySink: EntrySink {
    private let entry: ZipEntry
    private let wanted: WantedDigests
    /// Whether the file is a bundle's executable; other files are recognised by their magic.
    private let isDeclared: Bool
    private let needs: SurveyNeeds
    private let findings: SurveyFindings

    private var hasBegun = false
    private var code: CodeReader?
    private var target: [UInt8] = []
    /// For a file that arrives in several windows.
    private var sha1: DigestHasher?
    private var sha256: DigestHasher?
    /// For a file that arrives in one window, as most do.
    private var whole: FileDigests?

    init(_ entry: ZipEntry, _ needs: SurveyNeeds, _ findings: SurveyFindings) {
        self.entry = entry
        self.needs = needs
        self.findings = findings
        wanted = needs.digests[entry.path] ?? []
        isDeclared = needs.executables[entry.path] != nil
    }

    mutating func take(_ window: UnsafeRawBufferPointer) {
        guard entry.kind == .file else {
            // The archive would have been rejected if a link target were longer than a path may be.
            unsafe target.append(contentsOf: window)
            return
        }
        if !hasBegun {
            hasBegun = true
            unsafe begin(with: window)
        }
        unsafe sha1?.update(window)
        unsafe sha256?.update(window)
        unsafe code?.take(window)
    }

    private mutating func begin(with window: UnsafeRawBufferPointer) {
        if isDeclared || (unsafe Self.isCode(window)) { code = CodeReader(fileSize: entry.size) }
        if window.count == entry.size {
            whole = FileDigests(
                sha1: wanted.contains(.sha1) ? unsafe DigestAlgorithm.sha1.digest(of: window) : nil,
                sha256: wanted.contains(.sha256)
                    ? unsafe DigestAlgorithm.sha256.digest(of: window) : nil,
            )
        } else {
            if wanted.contains(.sha1) { sha1 = DigestHasher(.sha1) }
            if wanted.contains(.sha256) { sha256 = DigestHasher(.sha256) }
        }
    }

    mutating func finish() {
        guard entry.kind == .file else {
            findings.note(.symbolicLink(target: RelativePath(target)), at: entry.path)
            return
        }
        // No window comes of an empty file.
        if !hasBegun { unsafe begin(with: UnsafeRawBufferPointer(start: nil, count: 0)) }
        if !wanted.isEmpty {
            let digests = whole ?? FileDigests(sha1: sha1?.finish(), sha256: sha256?.finish())
            findings.note(.file(digests), at: entry.path)
        }
        guard let reader = code.take() else { return }
        if reader.hasOversizedSignatures {
            findings.note(ExecutableEvidence(path: entry.path, content: .tooLarge))
            return
        }
        let executable = ExecutableEvidence(entry, reader, in: needs.surroundings(of: entry.path))
        if isDeclared || executable.isLoadable { findings.note(executable) }
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

extension ExecutableEvidence {
    /// Whether the file can be loaded: not an object file, symbols, or a Java class, which has the magic
    /// of universal files.
    fileprivate var isLoadable: Bool {
        slices.contains { slice in
            switch slice.fileType {
            case .executable, .dynamicLibrary, .bundle, .dynamicLinker: true
            default: false
            }
        }
    }
}
