import Bundles
package import Essentials
package import Identifiers
package import Releases

extension OTAStore {
    /// Appends an install attempt to the journal of the month in which it ended.
    package func record(_ attempt: InstallAttempt) throws(StoreFailure) {
        let journal = DocumentName.installs(JournalMonth(of: attempt.ended))
        try backend.append(DocumentCoding.line(attempt, for: journal), to: journal)
    }

    /// The install attempts that ended at `date` or later, oldest first; of all apps if `app` is nil.
    ///
    /// Of a longer journal only the last 4 MiB or so are known.
    package func installAttempts(
        of app: BundleIdentifier?,
        since date: Date,
    ) throws(StoreFailure) -> [InstallAttempt] {
        let first = JournalMonth(of: date)
        var found: [InstallAttempt] = []
        for name in try names(in: .installs) {
            guard let month = JournalMonth(journal: name), month >= first else { continue }
            found += try installs.attempts(of: DocumentName.installs.appending(name))
                .filter { $0.ended >= date && (app == nil || $0.app == app) }
        }
        return found
    }
}

extension OTAStore {
    /// The last attempt of a device to install a release, if it ended at `date` or later.
    package func lastInstallAttempt(
        of release: ReleaseIdentifier,
        of app: BundleIdentifier,
        by device: String,
        since date: Date,
    ) throws(StoreFailure) -> InstallAttempt? {
        let first = JournalMonth(of: date)
        for name in try names(in: .installs).reversed() {
            guard let month = JournalMonth(journal: name), month >= first else { continue }
            let attempts = try installs.attempts(of: DocumentName.installs.appending(name))
            let found = attempts.last {
                $0.device == device && $0.release == release && $0.app == app && $0.ended >= date
            }
            if let found { return found }
        }
        return nil
    }
}

extension OTAStore {
    /// Erases a device's reference from the install journals; its downloads stay, without a device.
    ///
    /// `device` is the reference, 24 hexadecimal digits.
    package func eraseFromInstalls(_ device: String) throws(StoreFailure) {
        let blank = [UInt8](repeating: UInt8(ascii: "0"), count: device.utf8.count)
        for name in try backend.names(in: .installs) where JournalMonth(journal: name) != nil {
            let journal = try DocumentName.installs.appending(name)
            try backend.overwrite(Array(device.utf8), with: blank, in: journal)
        }
        installs.forget()
    }
}

extension DocumentName {
    static let installs = DocumentName(known: "installs")

    fileprivate static func installs(_ month: JournalMonth) -> DocumentName {
        DocumentName(known: "installs", month.journal)
    }
}
