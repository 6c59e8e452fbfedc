import Bytes
import Cryptography

/// The requirement that codesign writes for an iOS signature (Security `requirement.h`).
///
/// `identifier "X" and anchor apple generic and certificate leaf[subject.CN] = "…" and
/// certificate 1[field.1.2.840.113635.100.6.2.1] exists`
package struct DesignatedRequirement: Sendable {
    package var identifier: String
    package var signerName: String

    /// The extension of the intermediate certificate that issues developer certificates.
    private static let worldwideDeveloperRelations: OID = "1.2.840.113635.100.6.2.1"

    package init(identifier: String, signerName: String) {
        self.identifier = identifier
        self.signerName = signerName
    }

    /// The requirement set with this requirement as the designated one (type 3).
    package var blob: [UInt8] {
        var writer = ByteWriter()
        for word: UInt32 in [1, 3, 20] { writer.bigEndian(word) }
        writer.append(SignatureBlob.requirement(expression))
        return SignatureBlob.requirements(writer.bytes)
    }

    private var expression: [UInt8] {
        var writer = ByteWriter()
        writer.bigEndian(1 as UInt32)
        writer.operation(.and)
        writer.operation(.identifier)
        writer.data(identifier.utf8)
        writer.operation(.and)
        writer.operation(.appleGenericAnchor)
        writer.operation(.and)
        writer.operation(.certificateField)
        writer.bigEndian(0 as UInt32)
        writer.data("subject.CN".utf8)
        writer.bigEndian(Match.equal.rawValue)
        writer.data(signerName.utf8)
        writer.operation(.certificateExtension)
        writer.bigEndian(1 as UInt32)
        writer.data(Self.worldwideDeveloperRelations.encoded)
        writer.bigEndian(Match.exists.rawValue)
        return writer.bytes
    }
}

private enum Operation: UInt32 {
    case identifier = 2
    case and = 6
    case certificateField = 11
    case certificateExtension = 14
    case appleGenericAnchor = 15
}

private enum Match: UInt32 {
    case exists = 0
    case equal = 1
}

extension ByteWriter {
    fileprivate mutating func operation(_ operation: Operation) {
        bigEndian(operation.rawValue)
    }

    /// Writes a length, then the bytes padded to a multiple of four.
    fileprivate mutating func data(_ bytes: some Collection<UInt8>) {
        bigEndian(UInt32(bytes.count))
        append(bytes)
        pad(to: 4)
    }
}
