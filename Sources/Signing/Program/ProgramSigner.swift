package import Bytes
package import Cryptography
package import Essentials
package import MachOFormat
import Problems

/// Signs programs and libraries as codesign does for iOS.
package struct ProgramSigner: Sendable {
    /// Whose certificate and authorities the signatures carry.
    package let identity: SigningIdentity
    /// The signing time that they state.
    package let date: Date

    package init(identity: SigningIdentity, at date: Date) {
        self.identity = identity
        self.date = date
    }

    /// Reads headers and signatures of a program, and nothing else of it.
    ///
    /// - Throws: ``SigningRefusal`` for a file that is no Mach-O file, or cannot be read.
    package static func headers(
        of program: some ReplayableBytes,
        named path: RelativePath,
    ) throws(SigningRefusal) -> MachOFile {
        var scanner = MachOScanner(fileSize: program.count, keepsHeaders: true)
        do {
            try unsafe program.read { unsafe scanner.take($0) }
        } catch {
            throw .unreadable(path, reason: Problem(error).message)
        }
        do throws(MalformedBytes) {
            return try scanner.finish()
        } catch {
            throw .program(.malformed(error), at: path)
        }
    }

    /// Says what the signed file is; a signature that is there already is replaced.
    ///
    /// - Parameters:
    ///   - program: the file, read once, and once more where `headers` is nil.
    ///   - headers: what ``headers(of:named:)`` found in it, where that is known.
    ///   - path: what errors call the file.
    ///   - seals: what the signature binds besides the code.
    /// - Returns: the same for equal arguments.
    /// - Throws: ``SigningRefusal`` when the file cannot carry the signature.
    package func sign(
        _ program: some ReplayableBytes,
        headers: MachOFile? = nil,
        named path: RelativePath,
        sealing seals: CodeSeals,
    ) throws(SigningRefusal) -> SignedProgram {
        let file: MachOFile
        if let headers, headers.slices.allSatisfy({ $0.headerBytes != nil }) {
            file = headers
        } else {
            file = try Self.headers(of: program, named: path)
        }
        let hashes = CodeHash.choice(for: file)
        let message = CodeMessage(identity: identity, at: date)
        let layout: ProgramLayout
        do throws(ProgramFault) {
            try check(seals)
            layout = try ProgramLayout(of: file, size: program.count) {
                slice throws(ProgramFault) in
                try SliceSigner(slice, hashes: hashes, sealing: seals, message: message)
            }
        } catch {
            throw .program(error, at: path)
        }
        var pass = SigningPass(layout)
        do {
            try unsafe program.read { try unsafe pass.take($0) }
        } catch let fault as ProgramFault {
            throw .program(fault, at: path)
        } catch {
            throw .unreadable(path, reason: Problem(error).message)
        }
        guard let signed = pass.finish() else {
            throw .unreadable(path, reason: "it ended before its last slice")
        }
        return signed
    }

    /// Names end with a zero in a CodeDirectory, and can have none inside.
    private func check(_ seals: CodeSeals) throws(ProgramFault) {
        let subject = identity.certificate.subject
        let names = [seals.identifier, subject.organizationalUnit ?? ""]
        let areUsable = names.allSatisfy { $0.utf8.count <= 1024 && !$0.utf8.contains(0) }
        guard areUsable, !seals.identifier.isEmpty else { throw .identifierNotUsable }
        // The designated requirement names the signer by it.
        guard subject.commonName != nil else {
            throw .cannotSign(reason: "its certificate has no common name")
        }
    }
}
