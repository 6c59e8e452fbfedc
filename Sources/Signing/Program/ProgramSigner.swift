package import Bytes
package import Cryptography
package import Essentials
package import MachOFormat
import Problems

/// Signs programs and libraries as codesign does for iOS.
package struct ProgramSigner: Sendable {
    /// The signing identity, whose certificate and chain the signatures embed.
    package let identity: SigningIdentity
    /// The signing time in the signatures.
    package let date: Date

    package init(identity: SigningIdentity, at date: Date) {
        self.identity = identity
        self.date = date
    }

    /// Reads only the headers and signatures of a program.
    ///
    /// - Throws: ``SigningRefusal`` for a file that is not Mach-O or cannot be read.
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

    /// Computes the signed file; an existing signature is replaced.
    ///
    /// - Parameters:
    ///   - program: the file, read once, and twice when `headers` is nil.
    ///   - headers: the result of ``headers(of:named:)``, if available.
    ///   - path: the file's path, for errors.
    ///   - seals: the data that the signature covers besides the code.
    /// - Returns: the signed file; the same for equal arguments.
    /// - Throws: ``SigningRefusal`` when the file cannot be signed.
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

    /// Names in a CodeDirectory are terminated by a zero byte and cannot contain one.
    private func check(_ seals: CodeSeals) throws(ProgramFault) {
        let subject = identity.certificate.subject
        let names = [seals.identifier, subject.organizationalUnit ?? ""]
        let areUsable = names.allSatisfy { $0.utf8.count <= 1024 && !$0.utf8.contains(0) }
        guard areUsable, !seals.identifier.isEmpty else { throw .identifierNotUsable }
        // The designated requirement contains it.
        guard subject.commonName != nil else {
            throw .cannotSign(reason: "its certificate has no common name")
        }
    }
}
