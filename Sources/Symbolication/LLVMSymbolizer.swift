import Essentials
import Sandboxing
import Symbols
import Synchronization

/// Runs `llvm-symbolizer` to look up addresses in untrusted symbols: with limits on time and memory and,
/// where `bwrap` works, without network access and other files.
package struct LLVMSymbolizer: Sendable {
    /// An absolute path.
    package let program: String
    /// The maximum time of one run.
    package var time = Duration.seconds(60)

    /// The maximum number of addresses in one run.
    private static let batch = 2000

    package init(program: String) {
        self.program = program
    }

    /// Finds an installed program, in each folder the unversioned one first, then the newest version.
    ///
    /// - Parameters:
    ///   - path: folders separated by colons, as in `PATH`, which are searched first.
    ///   - usual: the folders searched afterwards.
    /// - Returns: the program.
    /// - Throws: ``SymbolizerFailure/notInstalled``.
    package static func installed(
        in path: String?,
        usually usual: [String] = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/opt/llvm/bin"],
    ) throws(SymbolizerFailure) -> LLVMSymbolizer {
        let given = (path ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        let names = ["llvm-symbolizer"] + (14...30).reversed().map { "llvm-symbolizer-\($0)" }
        for folder in given + usual {
            for name in names {
                let program = "\(folder)/\(name)"
                if FileManager.default.isExecutableFile(atPath: program) {
                    return LLVMSymbolizer(program: program)
                }
            }
        }
        throw .notInstalled
    }

    /// Looks up addresses in a file with symbols.
    ///
    /// - Parameters:
    ///   - addresses: addresses in the address space of the symbols.
    ///   - architecture: the slice, by its name in LLVM.
    ///   - file: the file's name in `folder`.
    ///   - folder: the only folder that the program can read; an absolute path.
    /// - Returns: for each address that was found, its functions, the innermost first.
    /// - Throws: ``SymbolizerFailure``, `ProcessFailure`.
    package func frames(
        at addresses: [UInt64],
        of architecture: String,
        in file: String,
        of folder: String,
    ) async throws -> [UInt64: [SourceFrame]] {
        var found: [UInt64: [SourceFrame]] = [:]
        var rest = addresses[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(Self.batch))
            rest = rest.dropFirst(Self.batch)
            let long = try await answer(
                to: batch,
                naming: "linkage",
                architecture,
                "\(folder)/\(file)",
                folder,
            )
            // LLVM does not demangle Swift names; the symbols also contain the short names.
            let isSwift = long.contains { $0.names.contains(where: SwiftName.isMangled) }
            let short =
                isSwift
                ? try await answer(
                    to: batch,
                    naming: "short",
                    architecture,
                    "\(folder)/\(file)",
                    folder,
                ) : long
            for (index, address) in batch.enumerated() where index < long.count {
                let other = index < short.count ? short[index] : long[index]
                let frames = long[index].frames(readableFrom: other)
                if !frames.isEmpty { found[address] = frames }
            }
        }
        return found
    }

    private func answer(
        to addresses: [UInt64],
        naming functions: String,
        _ architecture: String,
        _ file: String,
        _ folder: String,
    ) async throws -> [SymbolizerAnswer] {
        var words = [
            "--obj=\(file)", "--output-style=JSON", "--inlines", "--functions=\(functions)",
        ]
        if !architecture.contains(" ") { words.append("--default-arch=\(architecture)") }
        words += addresses.map { "0x" + String($0, radix: 16) }
        let (ending, output) = try await run(words, in: folder)
        guard case .exited(0) = ending else { throw SymbolizerFailure(ending) }
        guard
            let answers = try? JSONDecoder().decode([SymbolizerAnswer].self, from: Data(output))
        else { throw SymbolizerFailure.unreadableAnswer }
        return answers
    }

    private func run(
        _ words: [String],
        in folder: String,
    ) async throws -> (ChildProcess.Ending, [UInt8]) {
        if let bwrap = Sandbox.executable {
            var sandbox = Sandbox(folder: folder, allowsNetwork: false)
            sandbox.temporaryBytes = 1 << 20
            // An LLVM outside /usr brings its own libraries.
            if !program.hasPrefix("/usr/") {
                let real = URL(filePath: program).resolvingSymlinksInPath()
                sandbox.readable = [
                    real.deletingLastPathComponent().deletingLastPathComponent().path,
                    URL(filePath: program).deletingLastPathComponent().path,
                ]
            }
            let arguments = sandbox.arguments(for: program, words, in: folder)
            let (ending, output) = try await run(bwrap, arguments, folder)
            // Many containers do not allow namespaces; then nothing was read.
            guard case .exited(1) = ending, output.isEmpty else { return (ending, output) }
        }
        return try await run(program, words, folder)
    }

    private func run(
        _ program: String,
        _ words: [String],
        _ folder: String,
    ) async throws -> (ChildProcess.Ending, [UInt8]) {
        var limits = ProcessLimits(time: time, output: 64 << 20)
        limits.patience = .seconds(1)
        limits.openFiles = 64
        #if os(Linux)
        // For a mapped file of gigabytes, and the data read from it.
        limits.memory = 8 << 30
        limits.fileSize = 0
        #endif
        let process = ChildProcess(program, words, in: folder, limits: limits)
        let output = Mutex<[UInt8]>([])
        let ending = try await process.run(
            output: { piece in output.withLock { $0 += piece } },
            errors: { _ in },
        )
        return (ending, output.withLock { $0 })
    }
}
