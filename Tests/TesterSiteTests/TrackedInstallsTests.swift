import Bundles
import Foundation
import HTTPServing
import Identifiers
import Releases
import Testing

@testable import TesterSite

struct TrackedInstallsTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// A shared link is downloaded again and again.
    @Test func `whole downloads of one device write a thousand lines an hour`() throws {
        let app = try #require(BundleIdentifier("com.example.demo"))
        let release = ReleaseIdentifier(version: "1.0", build: "1")
        var installs = TrackedInstalls()
        func notes(of device: String?, _ count: Int, at date: Date) -> Int {
            let phone = InstallingPhone(release, of: app, device: device, "192.0.2.1")
            var notes = 0
            for _ in 0..<count {
                let transfer = Transfer()
                guard let download = installs.began(phone, 0..<10, of: 10, transfer, at: date)
                else { return notes }
                transfer.add(10)
                installs.ended(download, at: date)
                notes += installs.takeOver(at: date).count
            }
            return notes
        }
        #expect(notes(of: "ana", 1100, at: Self.now) == TrackedInstalls.mostNotes)
        #expect(notes(of: "ben", 1, at: Self.now) == 1, "each device has its own")
        #expect(notes(of: nil, 1100, at: Self.now) == TrackedInstalls.mostNotes)
        #expect(notes(of: "ana", 1, at: Self.now + 3600) == 1)
    }
}
