import APIDocuments
import Bytes
import Foundation
import Uploads

/// The state of an upload, with the result of its publish once it is known.
struct UploadStateDocument: Encodable {
    private let status: UploadStatus
    private let answer: JSONValue?

    private enum CodingKeys: String, CodingKey { case answer }

    /// - Throws: `DecodingError` for an answer that is not JSON.
    init(_ status: UploadStatus, _ answer: UploadAnswer?) throws {
        self.status = status
        self.answer = try answer.map {
            try JSONDecoder().decode(JSONValue.self, from: Data($0.body.utf8))
        }
    }

    func encode(to encoder: any Encoder) throws {
        try status.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(answer, forKey: .answer)
    }
}
