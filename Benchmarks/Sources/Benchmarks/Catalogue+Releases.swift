import Foundation

extension Catalogue {
    /// Copies the release of the first app with other build numbers, all of them older.
    func addReleases(_ count: Int) throws {
        let folder = "apps/\(publication.app)/releases"
        let release = try read("\(folder)/1.0.0-1.json")
        for number in 1..<count {
            let copy = release.replacing("\"build\" : \"1\"", with: "\"build\" : \"\(number)\"")
                .replacing("\"version\" : \"1.0.0\"", with: "\"version\" : \"0.\(number)\"")
            try write(copy, to: "\(folder)/0.\(number)-\(number).json")
        }
    }
}
