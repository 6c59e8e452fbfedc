import Bundles
import Bytes
import Foundation
import PropertyLists
import Testing
import Zip

/// The app on the phone, read from its bytes.
struct InstalledApp {
    let bundle: AppBundle

    init(_ bytes: [UInt8]) throws {
        bundle = try AppBundle(in: ZipArchive(reading: MemorySource(bytes)))
    }

    func info(_ key: String) -> PropertyList? {
        bundle.info.values[key]
    }

    func entitlement(_ key: String) throws -> PropertyList? {
        try #require(bundle.profile).claims().entitlements[key]
    }
}
