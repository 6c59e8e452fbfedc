package import Cryptography
import Essentials
package import Uploads

/// Uploads under way: a record and a file of bytes for each, in `incoming/`.
extension OTAStore {
    /// The records of all uploads, and the names of those whose record cannot be read.
    package func uploads() throws(StoreFailure) -> (there: [UploadRecord], unreadable: [String]) {
        var there: [UploadRecord] = []
        var unreadable: [String] = []
        for file in try backend.names(in: .uploads) where file.hasSuffix(".json") {
            do throws(StoreFailure) {
                let name = try DocumentName.uploads.appending(file)
                guard let document = try backend.read(name) else { continue }
                there.append(
                    try DocumentCoding.decode(
                        UploadRecord.self,
                        from: document.bytes,
                        path: name.path,
                    )
                )
            } catch {
                unreadable.append(file)
            }
        }
        return (there, unreadable)
    }

    /// The record of an upload; nil where there is none, or no more.
    package func upload(_ identifier: UploadIdentifier) throws(StoreFailure) -> UploadRecord? {
        let name = DocumentName.upload(identifier)
        guard let document = try backend.read(name) else { return nil }
        return try DocumentCoding.decode(
            UploadRecord.self,
            from: document.bytes,
            path: name.path,
        )
    }

    /// Keeps a new upload's record.
    package func begin(_ upload: UploadRecord) throws(StoreFailure) {
        let name = DocumentName.upload(upload.identifier)
        guard try write(upload, to: name, if: .absent) else { throw .conflict(name) }
    }

    /// Changes an upload's record; see ``change(_:else:_:)``.
    @discardableResult
    package func changeUpload(
        _ identifier: UploadIdentifier,
        _ change: (inout UploadRecord) throws -> Void,
    ) throws -> UploadRecord {
        try self.change(.upload(identifier), else: nil, change).value
    }

    /// The bytes of an upload, to continue it.
    package func bytes(
        of upload: UploadIdentifier
    ) throws(StoreFailure) -> any ResumableBlob {
        try backend.upload(upload.description)
    }

    /// The file that an upload's bytes are in, for another process to read: the blob's of `sha256`
    /// where the store had them before.
    package func file(
        of upload: UploadIdentifier,
        sha256: SHA256Digest?,
    ) throws(StoreFailure) -> String? {
        if try backend.uploadSize("\(upload)") ?? 0 == 0, let sha256 {
            return try file(of: sha256)
        }
        return try workFolder?.path(ofUpload: "\(upload)")
    }

    /// The folder of this machine that the store is; nil for one elsewhere.
    package var localFolder: LocalFolder? { backend.localFolder }

    /// The folder of this machine for what arrives, and for what other programs need as files.
    package var workFolder: LocalFolder? { backend.workFolder }

    /// Forgets an upload's bytes; its record stays.
    package func dropBytes(of upload: UploadIdentifier) throws(StoreFailure) {
        try backend.removeUpload(upload.description)
    }

    /// Forgets an upload, bytes and record.
    package func forget(_ upload: UploadIdentifier) throws(StoreFailure) {
        try backend.removeUpload(upload.description)
        let name = DocumentName.upload(upload)
        if let document = try backend.read(name) {
            try backend.delete(name, at: document.version)
        }
    }

    /// Bytes of uploads that have no record: what a crash left between the two.
    package func dropStrayUploads() throws(StoreFailure) {
        for name in try backend.uploads() {
            guard let upload = UploadIdentifier(name) else { continue }
            if try backend.read(.upload(upload)) == nil { try backend.removeUpload(name) }
        }
    }
}

extension DocumentName {
    /// The folder of the records of uploads under way.
    package static let uploads = DocumentName(known: "incoming")

    static func upload(_ identifier: UploadIdentifier) -> DocumentName {
        DocumentName(known: "incoming", "\(identifier).json")
    }
}
