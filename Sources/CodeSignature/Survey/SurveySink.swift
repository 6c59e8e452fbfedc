import Bytes
import Cryptography
import MachOFormat
import Zip

/// Receives the bytes of one file once, and computes everything that signatures need of it.
struct SurveySink: EntrySink {
    let entry: ZipEntry
    let digests: [(algorithm: DigestAlgorithm, hasher: DigestHasher)]
    /// Whether the file is a bundle's executable; other files are recognised by their magic.
    let isDeclared: Bool
    let surroundings: ExecutableEvidence.Surroundings
    let findings: SurveyFindings

    private var hasBegun = false
    private var code: CodeReader?
    private var target: [UInt8] = []

    init(
        _ entry: ZipEntry,
        digests: Set<DigestAlgorithm>,
        isDeclared: Bool,
        in surroundings: ExecutableEvidence.Surroundings,
        findings: SurveyFindings,
    ) {
        self.entry = entry
        self.digests = digests.map { ($0, DigestHasher($0)) }
        self.isDeclared = isDeclared
        self.surroundings = surroundings
        self.findings = findings
    }

    mutating func take(_ window: UnsafeRawBufferPointer) {
        guard entry.kind == .file else {
            // The archive would have been rejected if a link target were longer than a path may be.
            unsafe target.append(contentsOf: window)
            return
        }
        if !hasBegun {
            hasBegun = true
            if isDeclared || (unsafe Self.isCode(window)) {
                code = CodeReader(fileSize: entry.size)
            }
        }
        for digest in digests { unsafe digest.hasher.update(window) }
        unsafe code?.take(window)
    }

    mutating func finish() {
        guard entry.kind == .file else {
            findings.note(.symbolicLink(target: RelativePath(target)), at: entry.path)
            return
        }
        if !digests.isEmpty {
            let made = digests.map { ($0.algorithm, $0.hasher.finish()) }
            findings.note(.file(Dictionary(uniqueKeysWithValues: made)), at: entry.path)
        }
        let reader = code.take() ?? (isDeclared ? CodeReader(fileSize: entry.size) : nil)
        guard let reader else { return }
        if reader.hasOversizedSignatures {
            findings.note(ExecutableEvidence(path: entry.path, content: .tooLarge))
            return
        }
        let executable = ExecutableEvidence(entry, reader, in: surroundings)
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
