package import Access
package import Uploads

/// Checked builds for the admin's pages.
extension UploadService {
    /// The checked uploads of this uploader, latest first.
    package func checked(by principal: Principal) -> [UploadRecord] {
        sessions.map(\.record)
            .filter { $0.state == .checked && $0.token == principal.uploader }
            .sorted { $0.touched > $1.touched }
    }

    /// Publishes a checked build of this uploader; blocks.
    ///
    /// - Throws: `UploadRefusal`, `StoreFailure`.
    package func publish(_ upload: UploadIdentifier, by principal: Principal) throws {
        try publish(try session("\(upload)", of: principal))
    }

    /// Removes a checked build; blocks.
    ///
    /// - Throws: `UploadRefusal`, `StoreFailure`.
    package func drop(_ upload: UploadIdentifier, by principal: Principal) throws {
        let session = try session("\(upload)", of: principal, isForAdmins: true)
        guard session.record.state == .checked else { throw UploadRefusal.isComplete }
        try cancel(session)
    }
}
