package import Cryptography
import Essentials
package import Uploads

/// Unfinished uploads: a record and a file of bytes for each, in `incoming/`.
extension OTAStore {
    /// The records of all uploads, and the names of those that cannot be read.
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

    /// The record of an upload; nil if it does not exist or no longer exists.
    package func upload(_ identifier: UploadIdentifier) throws(StoreFailure) -> UploadRecord? {
        let name = DocumentName.upload(identifier)
        guard let document = try backend.read(name) else { return nil }
        return try DocumentCoding.decode(
            UploadRecord.self,
            from: document.bytes,
            path: name.path,
        )
    }

    /// Stores the record of a new upload.
    ///
    /// - Throws: ``StoreFailure/conflict(_:)`` if there is one already.
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

    /// The bytes of an upload, for continuing it.
    package func bytes(
        of upload: UploadIdentifier
    ) throws(StoreFailure) -> any ResumableBlob {
        try backend.upload(upload.description)
    }

    /// The file with an upload's bytes, for another process to read.
    ///
    /// If the store had the bytes before, it is the file of the blob `sha256`.
    package func file(
        of upload: UploadIdentifier,
        sha256: SHA256Digest?,
    ) throws(StoreFailure) -> String? {
        if try backend.uploadSize("\(upload)") ?? 0 == 0, let sha256 {
            return try file(of: sha256)
        }
        return try workFolder?.path(ofUpload: "\(upload)")
    }

    /// The folder if the store is a folder of this machine; otherwise nil.
    package var localFolder: LocalFolder? { backend.localFolder }

    /// The folder of this machine for incoming bytes and for files that other programs need.
    package var workFolder: LocalFolder? { backend.workFolder }

    /// Deletes an upload's bytes and keeps its record.
    package func dropBytes(of upload: UploadIdentifier) throws(StoreFailure) {
        try backend.removeUpload(upload.description)
    }

    /// Deletes an upload's bytes and record.
    package func forget(_ upload: UploadIdentifier) throws(StoreFailure) {
        try backend.removeUpload(upload.description)
        let name = DocumentName.upload(upload)
        if let document = try backend.read(name) {
            try backend.delete(name, at: document.version)
        }
    }

    /// Deletes the bytes of uploads without a record, which a crash between the two leaves.
    package func dropStrayUploads() throws(StoreFailure) {
        for name in try backend.uploads() {
            guard let upload = UploadIdentifier(name) else { continue }
            if try backend.read(.upload(upload)) == nil { try backend.removeUpload(name) }
        }
    }
}

extension DocumentName {
    /// The folder of the records of unfinished uploads.
    package static let uploads = DocumentName(known: "incoming")

    static func upload(_ identifier: UploadIdentifier) -> DocumentName {
        DocumentName(known: "incoming", "\(identifier).json")
    }
}
