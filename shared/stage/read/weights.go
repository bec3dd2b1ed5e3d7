package read

var firstWeights, secondWeights []weight

var voteWeights votes
